/** How uv is called, and what its messages mean. No editor is needed here. */

/** The Pythons that the pinned libraries are made for. */
export const PYTHONS = ">=3.11,<3.15";

/** Only files whose hashes are known, and no source packages, whose code would be run to build them. */
export const librariesInto = (python: string, requirements: string): string[] => [
  ...["pip", "install", "--python", python],
  ...["--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", requirements],
];

/** Our own wheel, from this extension's folder and nowhere else. */
export const ourselvesInto = (python: string, wheel: string): string[] => ["pip", "install", "--python", python, "--no-index", "--no-deps", wheel];

/** The pinned uv, by pip, for machines without it. */
export const byPip = (uv: string, downloads: string): string[] => [
  ...["-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"],
  ...["--cache-dir", downloads, "--timeout", "15", "--retries", "2"],
  ...["--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", uv],
];

/** uv does not read pip's settings: the addresses and certificates in the output of `pip config list`, for uv. */
export function settingsFrom(pip: string): Record<string, string> {
  const lines = [...pip.matchAll(/^(?::env:|global)\.([a-z-]+)='(.*)'$/gm)].reverse(); // the environment comes first, and decides
  const settings = new Map(lines.map(([, name = "", value = ""]) => [name, value.replace(/\\(.)/g, (_, sign: string) => (sign === "n" ? " " : sign)).trim()]));
  const names = { "index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "trusted-host": "UV_INSECURE_HOST", cert: "SSL_CERT_FILE", proxy: "ALL_PROXY" };
  const given = Object.entries(names).map(([name, variable]) => [variable, settings.get(name)]);
  // pip takes a package from any of its indexes. With hashes that does no harm.
  return Object.fromEntries([["UV_INDEX_STRATEGY", "unsafe-best-match"], ...given].filter(([, value]) => value));
}

/** The progress in a line of uv's output, if there is any. Only big packages have lines. */
export function progressIn(line: string): string | undefined {
  const [, name] = /^Downloading (.+)$/.exec(line) ?? [];
  return name ?? (/^Prepared \d+ packages/.test(line) ? "unpacking them (550 MB on disk)" : undefined);
}

/** A sentence that says what uv or pip could not do, and what helps; undefined for unknown errors. */
export function reasonIn(lines: readonly string[]): string | undefined {
  const text = lines.join("\n");
  if (/DO NOT MATCH THE HASHES|Hash mismatch/.test(text))
    return "A downloaded package differs from the published one (other hash), so nothing was installed. Try again from another network.";
  if (/No space left|Errno 28|not enough space/i.test(text)) return "The disk is full: texgeist needs about 1.5 GB while it is installed.";
  if (/Request failed after|error sending request|Failed to fetch|error decoding response|Retrying \(|Max retries|timed out|Connection (broken|refused|reset)|IncompleteRead/.test(text))
    return "The package index cannot be reached. What was downloaded is kept: go on when there is a network (for a mirror, set UV_DEFAULT_INDEX, or pip's PIP_INDEX_URL if you have no uv).";
  if (/No interpreter found/.test(text)) return "uv finds no Python of 3.11 to 3.14. Install it (`uv python install 3.13`), or name yours in texgeist.server.python.";
  const [, missing] = /Because (\S+?)==\S+ has no (?:usable )?wheels|No matching distribution found for ([A-Za-z0-9_.-]+)/.exec(text)?.filter(Boolean) ?? [];
  if (missing)
    return `There is no ready-made ${missing} for this Python on this machine. Use a 64-bit Python of 3.11 to 3.14 on Linux, Windows (x86-64) or a Mac with Apple silicon and macOS 14: name it in texgeist.server.python.`;
  return undefined;
}
