"""The process in which the slow work happens.

Importing ONNX Runtime and embedding hold the interpreter lock for longer than an editor may wait, and a
call into a C library cannot be cancelled from Python. So recipes run in a child process: the language
server stays quick, and a cancel is firm, since a worker that does not stop in time is ended.

Frames are JSON, one a line. To the worker: `{"id", "call": {"request", "with", "settings", "keys"}}`, `request` being
the name of a request's class and `with` its fields, or `{"cancel": id}`. From it:
`{"id", "progress": [message, done, total]}`, then `{"id", "answer"}` or
`{"id", "error": {"kind", "message", "help", "retryable"}}`.
"""
