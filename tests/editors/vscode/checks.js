// What every suite inside the extension host needs: checks that are told line by line, and waiting.
let failures = 0;
exports.check = (name, ok, extra = "") => {
  console.log(`${ok ? "ok  " : "FAIL"} ${name} ${extra}`);
  if (!ok) failures += 1;
};
exports.failed = () => failures;
exports.pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
exports.until = async (what, test, limit = 60000) => {
  for (const end = Date.now() + limit; Date.now() < end; await exports.pause(40)) {
    const found = await test();
    if (found) return found;
  }
  throw new Error(`waited in vain for ${what}`);
};
