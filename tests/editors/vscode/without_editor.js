// A `vscode` without settings and without other extensions.
exports.workspace = { getConfiguration: () => ({ get: () => undefined }) };
exports.extensions = { getExtension: () => undefined };
