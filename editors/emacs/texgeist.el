;;; texgeist.el --- Related work with matching BibTeX entries -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1"))

;;; Commentary:

;; A client for the texgeist language server, for eglot and for lsp-mode.
;;
;; eglot:     (require 'texgeist) (texgeist-setup-eglot), then M-x eglot in a LaTeX buffer.
;; lsp-mode:  (require 'texgeist) (texgeist-setup-lsp-mode); it runs beside texlab.

;;; Code:

(require 'browse-url)

(defgroup texgeist nil "Related work in LaTeX." :group 'tex)

(defcustom texgeist-command '("texgeist" "lsp")
  "Program and arguments that start the server."
  :type '(repeat string))

(defconst texgeist-modes '(latex-mode tex-mode plain-tex-mode LaTeX-mode bibtex-mode))

(defvar texgeist-execute-function nil
  "Called with a command and its argument plist; set by the set-up functions.")

(defun texgeist--position (position)
  "POSITION as LSP counts it, by the client in use."
  (if (fboundp 'eglot--pos-to-lsp-position)
      (eglot--pos-to-lsp-position position)
    (lsp-point-to-position position)))

(defun texgeist--uri ()
  (if (fboundp 'eglot--path-to-uri)
      (eglot--path-to-uri buffer-file-name)
    (lsp--buffer-uri)))

(defun texgeist--execute (command &rest more)
  (unless texgeist-execute-function
    (user-error "Call texgeist-setup-eglot or texgeist-setup-lsp-mode first"))
  (funcall texgeist-execute-function (concat "texgeist.server." command)
           (append (list :uri (texgeist--uri)) more)))

(defun texgeist--range ()
  (unless (use-region-p) (user-error "Select a sentence first"))
  (list :start (texgeist--position (region-beginning)) :end (texgeist--position (region-end))))

;;;###autoload
(defun texgeist-related-work (&optional draft)
  "Write related work from the abstract; with a prefix argument, from the whole DRAFT."
  (interactive "P")
  (texgeist--execute "relatedWork" :from (if draft "draft" "abstract"))
  (message "texgeist: looking for papers; a message says when the section is there"))

;;;###autoload
(defun texgeist-find-citations ()
  "Find citations for the sentence in the region."
  (interactive)
  (texgeist--execute "findCitations" :range (texgeist--range)))

;;;###autoload
(defun texgeist-answer ()
  "Answer the question in the region, with citations."
  (interactive)
  (texgeist--execute "answer" :range (texgeist--range)))

;;;###autoload
(defun texgeist-review ()
  "Open the review page in the browser."
  (interactive)
  (let ((page (texgeist--execute "review")))
    (browse-url (if (hash-table-p page) (gethash "url" page) (plist-get page :url)))))

;;;###autoload
(defun texgeist-sync ()
  "Sync the index."
  (interactive)
  (texgeist--execute "sync"))

;;;###autoload
(defun texgeist-cancel ()
  "Cancel the running job."
  (interactive)
  (texgeist--execute "cancel"))

;;;; eglot

(declare-function eglot-current-server "eglot")
(declare-function eglot-execute-command "eglot")
(declare-function jsonrpc-request "jsonrpc")
(defvar eglot-server-programs)

(defun texgeist--eglot-execute (command argument)
  (jsonrpc-request (or (eglot-current-server) (user-error "No server: M-x eglot"))
                   :workspace/executeCommand
                   (list :command command :arguments (vector argument))))

;;;###autoload
(defun texgeist-setup-eglot ()
  "Let eglot start texgeist in LaTeX and BibTeX buffers."
  (require 'eglot)
  (setq texgeist-execute-function #'texgeist--eglot-execute)
  (add-to-list 'eglot-server-programs (cons texgeist-modes texgeist-command)))

;;;; lsp-mode

(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-request "lsp-mode")
(declare-function lsp-point-to-position "lsp-mode")
(declare-function lsp--buffer-uri "lsp-mode")

(defun texgeist--lsp-execute (command argument)
  (lsp-request "workspace/executeCommand" (list :command command :arguments (vector argument))))

;;;###autoload
(defun texgeist-setup-lsp-mode ()
  "Register texgeist with lsp-mode, beside the other LaTeX server."
  (require 'lsp-mode)
  (setq texgeist-execute-function #'texgeist--lsp-execute)
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () texgeist-command))
                    :major-modes texgeist-modes
                    :add-on? t
                    :initialization-options '(:client "lsp-mode" :trusted t)
                    :server-id 'texgeist)))

(provide 'texgeist)
;;; texgeist.el ends here
