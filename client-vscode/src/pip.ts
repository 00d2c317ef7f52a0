/** How pip is called, and what its words mean. No editor is needed here. */

/** Only files whose hashes are known, only ready-made ones: no code of a stranger is run to build anything. */
export const librariesOf = (requirements: string, downloads: string): string[] => [
  ...["-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"],
  ...["--cache-dir", downloads, "--timeout", "15", "--retries", "2"],
  ...["--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", requirements],
];

/** Our own wheel, from this extension's folder and nowhere else. */
export const ourselves = (wheel: string): string[] => [
  ...["-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--no-cache-dir"],
  ...["--no-index", "--no-deps", wheel],
];

/** Turns pip's lines into progress: which library of how many; undefined where there is nothing to tell. */
export function follower(count: number): (line: string) => string | undefined {
  let reached = 0;
  return (line) => {
    if (line.startsWith("Installing collected")) return "unpacking them (700 MB on disk)";
    if (line.includes("Retrying (")) return "the package index does not answer, trying again";
    const [, name] = /^\s*Collecting\s+([A-Za-z0-9_.-]+?)==/.exec(line) ?? [];
    if (name) reached += 1;
    return name && `${Math.min(reached, count)} of ${count}, ${name}`;
  };
}

/** A sentence for what pip could not do, and what to do about it; undefined for the unforeseen. */
export function reasonIn(lines: readonly string[]): string | undefined {
  const text = lines.join("\n");
  if (/HASHES ARE REQUIRED|DO NOT MATCH THE HASHES/.test(text))
    return "A downloaded package differs from the published one (other hash), so nothing was installed. Try again from another network.";
  if (/No space left|Errno 28|not enough space/i.test(text)) return "The disk is full: texgeist needs about 1.5 GB while it is installed.";
  const offline = /Retrying \(|NewConnectionError|name resolution|getaddrinfo|Max retries|ReadTimeout|ConnectTimeout|timed out|ProxyError|Connection (broken|refused|reset)|IncompleteRead/;
  if (offline.test(text))
    return "The package index cannot be reached. What was downloaded is kept: go on when there is a network (or set your mirror for pip in PIP_INDEX_URL or its settings file).";
  const [, missing] = /No matching distribution found for ([A-Za-z0-9_.-]+)/.exec(text) ?? [];
  if (missing)
    return `There is no ready-made ${missing} for this Python on this machine. Use a 64-bit Python of 3.11 to 3.14 on Linux, Windows (x86-64) or a Mac with Apple silicon and macOS 14: name it in texgeist.server.python.`;
  return undefined;
}
