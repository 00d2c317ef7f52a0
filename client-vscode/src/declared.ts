/** Generated from the server's declarations by scripts/generate: change those. */

export const commands = [
  { id: "relatedWorkFromAbstract", order: "relatedWork", needs: "document", argument: {"from": "abstract"}, always: true, whileWorking: false },
  { id: "relatedWorkFromDraft", order: "relatedWork", needs: "document", argument: {"from": "draft"}, always: true, whileWorking: false },
  { id: "discover", order: "discover", needs: "document", argument: {}, always: true, whileWorking: false },
  { id: "findCitations", order: "findCitations", needs: "selection", argument: {}, always: false, whileWorking: false },
  { id: "answer", order: "answer", needs: "selection", argument: {}, always: false, whileWorking: false },
  { id: "draftSection", order: "draftSection", needs: "cursor", argument: {}, always: false, whileWorking: false },
  { id: "gatherEvidence", order: "gatherEvidence", needs: "cursor", argument: {}, always: false, whileWorking: false },
  { id: "forAndAgainst", order: "forAndAgainst", needs: "selection", argument: {}, always: false, whileWorking: false },
  { id: "missingWorks", order: "missingWorks", needs: "document", argument: {}, always: true, whileWorking: false },
  { id: "verify", order: "verify", needs: "document", argument: {}, always: true, whileWorking: false },
  { id: "correctEntries", order: "correctEntries", needs: "document", argument: {}, always: false, whileWorking: false },
  { id: "why", order: "why", needs: "position", argument: {}, always: false, whileWorking: false },
  { id: "review", order: "review", needs: "document", argument: {}, always: true, whileWorking: false },
  { id: "insertPending", order: "insertPending", needs: "document", argument: {}, always: false, whileWorking: false },
  { id: "addEntry", order: "addEntry", needs: "cursor", argument: {}, always: false, whileWorking: false },
  { id: "openPdf", order: "openPdf", needs: "cursor", argument: {}, always: false, whileWorking: false },
  { id: "showWritten", order: "showWritten", needs: "document", argument: {}, always: false, whileWorking: false },
  { id: "undoWritten", order: "undoWritten", needs: "document", argument: {}, always: false, whileWorking: false },
  { id: "whyThese", order: "whyThese", needs: "document", argument: {}, always: false, whileWorking: false },
  { id: "sync", order: "sync", needs: "nothing", argument: {}, always: true, whileWorking: false },
  { id: "cancel", order: "cancel", needs: "nothing", argument: {}, always: false, whileWorking: true },
] as const;

export const providers = [
  { id: "anthropic", label: "Anthropic", needs: "needs a key", reaches: "Anthropic", addressed: false, keyed: true },
  { id: "openai", label: "OpenAI, or a server that speaks its protocol", needs: "a key; none for Ollama, LM Studio, llama.cpp on this machine", reaches: "OpenAI, or the server that writer.baseUrl names: Ollama, LM Studio, llama.cpp, vLLM, Gemini, Mistral, Azure", addressed: true, keyed: true },
  { id: "editor", label: "The editor's own models", needs: "no key; VS Code asks you once", reaches: "the language model that you have in VS Code: GitHub Copilot or another", addressed: false, keyed: false },
  { id: "local", label: "A small model, run by texgeist on this machine", needs: "no key; `uv tool install '.[local]'` in a clone, then `texgeist model fetch writer`", reaches: "a model in a process of texgeist on this machine: nothing leaves it", addressed: false, keyed: false },
] as const;
