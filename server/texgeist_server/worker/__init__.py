"""The worker process, which does the slow work.

Importing ONNX Runtime and embedding hold the interpreter lock for longer than an editor may wait, and Python
cannot cancel a call into a C library. So requests run in a child process: the language server stays
responsive, and a worker that does not stop in time after a cancel is killed.

Frames are JSON, a line each. To the worker: `{"id", "call": {"request", "with", "settings", "keys"}}`, where
`request` is the name of a request class and `with` holds its fields, or `{"cancel": id}`. From the worker:
`{"id", "progress": [message, done, total]}`, then `{"id", "answer"}` or `{"id", "error": {"kind", "message",
"help", "retryable"}}`.
"""
