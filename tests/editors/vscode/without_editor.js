// A `vscode` without settings and without other extensions.
exports.workspace = { getConfiguration: () => ({ get: () => undefined }) };
exports.extensions = { getExtension: () => undefined };

// What `installInto` asks of an editor: progress, messages, which nobody answers and everybody can read, and cancel.
exports.said = [];
const say = (kind) => async (message, ...buttons) => void exports.said.push({ kind, message, buttons });
exports.window = {
  showErrorMessage: say("error"),
  showInformationMessage: say("information"),
  withProgress: (_, work) => work({ report: () => undefined }, { isCancellationRequested: false, onCancellationRequested: () => undefined }),
};
exports.ProgressLocation = { Notification: 15 };
exports.CancellationError = class extends Error {};
exports.ConfigurationTarget = { Global: 1 };
