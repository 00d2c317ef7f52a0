;;; texgeist.el --- Related work with matching BibTeX entries -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1"))
;; Version: 0.1.0
;; Keywords: tex, bib

;;; Commentary:

;; A client for the texgeist language server, for eglot (1.9 and later) and for lsp-mode.
;;
;; Install the server from its wheel or a clone (uv tool install, pipx install or pip install), then
;; texgeist model fetch.
;;
;; eglot:     (require 'texgeist) (texgeist-setup-eglot), then M-x eglot in a LaTeX buffer.
;; lsp-mode:  (require 'texgeist) (texgeist-setup-lsp-mode), then M-x lsp; it runs beside texlab.
;;
;; All commands return at once and work in the background; a message says when they are done (eglot
;; 1.9 shows no progress).  Code actions update and remove a section.
;;
;; Settings that decide where text may go (index, embedding, writer, papers) are read from
;; `texgeist-settings' or your settings file (`texgeist config path'), never from a project.
;; Keys come from the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, TEXGEIST_INDEX_TOKEN,
;; OPENALEX_API_KEY, S2_API_KEY.
;; By default, nothing leaves the machine.

;;; Code:

(require 'browse-url)
(require 'cl-lib)
(require 'seq)
(require 'url-parse)
(require 'url-util)

(defgroup texgeist nil "Related work in LaTeX." :group 'tex)

(defcustom texgeist-command '("texgeist" "lsp")
  "Program and arguments that start the server."
  :type '(repeat string))

(defcustom texgeist-settings nil
  "Settings for the server, as a property list.
For example (:writer (:provider \"anthropic\") :relatedWork (:breadth 8))."
  :type 'plist)

(defcustom texgeist-modes '(latex-mode tex-mode plain-tex-mode LaTeX-mode bibtex-mode)
  "Major modes in which texgeist is started."
  :type '(repeat symbol))

(declare-function eglot-current-server "eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function eglot-handle-notification "eglot")
(declare-function jsonrpc-async-request "jsonrpc")
(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-find-workspace "lsp-mode")
(declare-function lsp-request-async "lsp-mode")
(declare-function lsp-point-to-position "lsp-mode")
(defvar eglot-server-programs)
(defvar lsp--cur-workspace)
(defvar lsp-response-timeout)

;;;; One buffer, two clients

(defun texgeist--lsp-mode-p ()
  "Whether lsp-mode runs texgeist for this buffer."
  (and (bound-and-true-p lsp-mode) (lsp-find-workspace 'texgeist (buffer-file-name)) t))

(defun texgeist--position (position)
  "POSITION as the protocol counts it."
  (if (texgeist--lsp-mode-p) (lsp-point-to-position position) (texgeist--eglot-position position)))

(defun texgeist--eglot-position (position)
  "POSITION in the units that eglot has agreed on with the server."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char position)
      (list :line (1- (line-number-at-pos nil t))
            :character (funcall (if (boundp 'eglot-current-linepos-function) ; eglot 1.12 and later
                                    (symbol-value 'eglot-current-linepos-function)
                                  (symbol-value 'eglot-current-column-function)))))))

(defconst texgeist--uri-characters
  (let ((allowed (copy-sequence url-path-allowed-chars))) (aset allowed ?: nil) allowed)
  "What stands in an address as it is, as both clients write it.")

(defun texgeist--uri (file)
  "The address of FILE."
  (let ((name (file-local-name (expand-file-name file))))
    (concat "file://" (if (string-prefix-p "/" name) "" "/") (url-hexify-string name texgeist--uri-characters))))

(defun texgeist--file (uri)
  "The file of URI, on the machine of this buffer's file."
  (let ((name (decode-coding-string (url-unhex-string (url-filename (url-generic-parse-url uri))) 'utf-8)))
    (concat (and buffer-file-name (file-remote-p buffer-file-name))
            (if (string-match-p "\\`/[A-Za-z]:/" name) (substring name 1) name))))

(defun texgeist--range ()
  "The region as the protocol counts it."
  (unless (use-region-p) (user-error "Select a sentence first"))
  (list :start (texgeist--position (region-beginning)) :end (texgeist--position (region-end))))

(defun texgeist--execute (command &rest more)
  "Run the server's COMMAND for this buffer; return its answer's properties.\nMORE are properties of the command's argument."
  (unless buffer-file-name (user-error "Save this buffer as a .tex file first: texgeist works on files"))
  (let* ((lsp-mode-p (texgeist--lsp-mode-p))
         (uri (if lsp-mode-p (texgeist--uri buffer-file-name) (texgeist--eglot-uri)))
         (params (list :command (concat "texgeist.server." command)
                       :arguments (vector (append (list :uri uri) more)))))
    (if lsp-mode-p
        (let ((lsp--cur-workspace (lsp-find-workspace 'texgeist buffer-file-name))) ; not texlab beside it
          (texgeist--properties (texgeist--lsp-request params)))
      (jsonrpc-request (eglot-current-server) :workspace/executeCommand params))))

(defun texgeist--lsp-request (params)
  "The answer of lsp-mode's server to the command in PARAMS.\n`lsp-request' leaves by a throw, and would lose messages sent with the answer."
  (let ((end (+ (float-time) lsp-response-timeout)) answer failed)
    (lsp-request-async "workspace/executeCommand" params (lambda (found) (setq answer (list found)))
                       :error-handler (lambda (problem) (setq failed problem)) :mode 'detached)
    (while (not (or answer failed))
      (accept-process-output nil 0.1)
      (when (> (float-time) end) (error "The server did not answer in time")))
    (when failed ; one problem, or a list with one of each server
      (let ((problem (if (hash-table-p (car-safe failed)) (car failed) failed)))
        (error "%s" (plist-get (texgeist--properties problem) :message))))
    (car answer)))

(defun texgeist--eglot-uri ()
  (unless (and (fboundp 'eglot-current-server) (eglot-current-server))
    (user-error "No server: M-x eglot, or M-x lsp, first"))
  (texgeist--uri (file-truename buffer-file-name))) ; as eglot names it; lsp-mode leaves links

(defun texgeist--properties (answer)
  "ANSWER, a hash table of lsp-mode or a property list, as a property list."
  (if (not (hash-table-p answer))
      answer
    (let (found)
      (maphash (lambda (key value) (setq found (plist-put found (intern (concat ":" key)) value))) answer)
      found)))

(defun texgeist--start (command &rest more)
  "Run COMMAND with MORE, and say that it is at work."
  (let ((answer (apply #'texgeist--execute command more)))
    (cond ((plist-get answer :url) (browse-url (plist-get answer :url)))
          ((plist-get answer :place) (texgeist--go (plist-get answer :place)))
          ((plist-get answer :job) (message "texgeist is at work; M-x texgeist-cancel stops it")))
    answer))

(defun texgeist--go (place)
  "Visit PLACE, a location of the protocol."
  (let* ((place (texgeist--properties place))
         (start (texgeist--properties (plist-get (texgeist--properties (plist-get place :range)) :start)))
         (uri (plist-get place :uri)))
    (find-file (texgeist--file uri))
    (goto-char (point-min))
    (forward-line (plist-get start :line))))

(defun texgeist--pick (title items answer)
  "Ask for papers of ITEMS under TITLE, one by one; call ANSWER with their ids.
Each stands with its passage.  Quitting picks none.  Somebody in a minibuffer is
not disturbed there: the question waits until they are done."
  (if (> (minibuffer-depth) 0)
      (run-at-time 0.5 nil #'texgeist--pick title items answer)
    (funcall answer (condition-case nil (texgeist--picked title items) ((quit error) [])))))

(defun texgeist--picked (title items)
  "The ids that the user picks of ITEMS under TITLE, as a vector."
  (let* ((choices (mapcar (lambda (item)
                            (let ((item (texgeist--properties item)))
                              (cons (format "%s (%s): %s" (plist-get item :label) (plist-get item :description)
                                            (plist-get item :detail))
                                    (plist-get item :id))))
                          (append items nil)))
         chosen picked)
    (while (and choices
                (not (equal "" (setq picked (completing-read
                                             (format "%s (%d picked; empty: that is all) " title (length chosen))
                                             (texgeist--in-order (mapcar #'car choices)) nil t)))))
      (push (cdr (assoc picked choices)) chosen)
      (setq choices (assoc-delete-all picked choices)))
    (vconcat (nreverse chosen))))

(defun texgeist--in-order (choices)
  "CHOICES as a completion table that keeps their order, the best first."
  (lambda (string predicate action)
    (if (eq action 'metadata)
        '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
      (complete-with-action action choices string predicate))))

(defun texgeist--panel (markdown)
  "Show MARKDOWN beside the document."
  (with-help-window "*texgeist*" (princ markdown)))

(with-eval-after-load 'eglot
  (cl-defmethod eglot-handle-notification (server (_method (eql texgeist/pick)) &key id title items &allow-other-keys)
    "Let the user pick from ITEMS, and tell SERVER."
    (run-at-time 0 nil #'texgeist--pick title items
                 (lambda (chosen)
                   (jsonrpc-async-request
                    server :workspace/executeCommand
                    (list :command "texgeist.server.picked" :arguments (vector (list :id id :chosen chosen)))
                    :success-fn #'ignore))))
  (cl-defmethod eglot-handle-notification (_server (_method (eql texgeist/panel)) &key markdown &allow-other-keys)
    "Show MARKDOWN."
    (run-at-time 0 nil #'texgeist--panel markdown)))

(defun texgeist--show (command)
  "Run COMMAND at point, and show the words that it answers with."
  (let ((words (plist-get (texgeist--execute command :position (texgeist--position (point))) :markdown)))
    (if (member words '(nil ""))
        (message "There is no citation at point")
      (with-help-window "*texgeist*" (princ words)))))

;;;; Commands, by scripts/generate

;;;###autoload
(defun texgeist-related-work (&optional other)
  "Write related work from the abstract.
With a prefix argument OTHER: write related work from the whole draft."
  (interactive "P")
  (if other (texgeist-related-work-from-draft)
    (texgeist--start "relatedWork" :from "abstract" :quiet t)))

;;;###autoload
(defun texgeist-related-work-from-draft ()
  "Write related work from the whole draft."
  (interactive)
  (texgeist--start "relatedWork" :from "draft" :quiet t))

;;;###autoload
(defun texgeist-discover ()
  "Search literature services for papers that your library lacks, after showing
what is sent."
  (interactive)
  (texgeist--start "discover"))

;;;###autoload
(defun texgeist-find-citations ()
  "Find papers for the selected sentence, each with a passage, and cite the ones
that you choose."
  (interactive)
  (texgeist--start "findCitations" :range (texgeist--range)))

;;;###autoload
(defun texgeist-answer ()
  "Answer the selected question in a panel; you can insert the answer from
there."
  (interactive)
  (texgeist--start "answer" :range (texgeist--range)))

;;;###autoload
(defun texgeist-draft-section ()
  "Draft the section at the cursor from the full papers of your index and your
own text."
  (interactive)
  (texgeist--start "draftSection" :position (texgeist--position (point))))

;;;###autoload
(defun texgeist-gather-evidence ()
  "Gather evidence for the section at the cursor, and show it."
  (interactive)
  (texgeist--start "gatherEvidence" :position (texgeist--position (point))))

;;;###autoload
(defun texgeist-for-and-against ()
  "Show passages of full papers that support or contradict the selected
sentence."
  (interactive)
  (texgeist--start "forAndAgainst" :range (texgeist--range)))

;;;###autoload
(defun texgeist-missing-works ()
  "Show works of your index that similar papers cite and the draft does not."
  (interactive)
  (texgeist--start "missingWorks"))

;;;###autoload
(defun texgeist-verify ()
  "Check the saved bibliography, and show the report on each entry."
  (interactive)
  (texgeist--start "verify"))

;;;###autoload
(defun texgeist-correct-entries ()
  "Correct the details of entries that differ from the record of the same paper."
  (interactive)
  (texgeist--start "correctEntries"))

;;;###autoload
(defun texgeist-why ()
  "Show why the citation at the cursor was chosen."
  (interactive)
  (texgeist--show "why"))

;;;###autoload
(defun texgeist-review ()
  "Review the papers in the browser, then write from there."
  (interactive)
  (texgeist--start "review" :quiet t))

;;;###autoload
(defun texgeist-insert-pending ()
  "Insert the answer that was shown, or the text that could not be inserted
because the document had changed."
  (interactive)
  (texgeist--start "insertPending"))

;;;###autoload
(defun texgeist-add-entry ()
  "Add an entry for the DOI, arXiv id or web address at the cursor."
  (interactive)
  (texgeist--start "addEntry" :position (texgeist--position (point))))

;;;###autoload
(defun texgeist-open-pdf ()
  "Open your PDF of the paper cited at the cursor, or else the paper's web page."
  (interactive)
  (texgeist--start "openPdf" :position (texgeist--position (point))))

;;;###autoload
(defun texgeist-show-written ()
  "Go to the text that was written last."
  (interactive)
  (texgeist--start "showWritten"))

;;;###autoload
(defun texgeist-undo-written ()
  "Undo what texgeist wrote last, in all files, if it was not edited since."
  (interactive)
  (texgeist--start "undoWritten"))

;;;###autoload
(defun texgeist-why-these ()
  "Show why each of the papers cited last was chosen."
  (interactive)
  (texgeist--start "whyThese"))

;;;###autoload
(defun texgeist-sync ()
  "Sync the index."
  (interactive)
  (texgeist--start "sync"))

;;;###autoload
(defun texgeist-cancel ()
  "Cancel the running job."
  (interactive)
  (texgeist--start "cancel"))

;;;; Set-up

(defun texgeist-find-project (directory)
  "The project of a paper that is under no version control.\nIt is the nearest folder from DIRECTORY up that holds a root document."
  (when (derived-mode-p 'latex-mode 'tex-mode 'bibtex-mode 'LaTeX-mode)
    (let ((root (locate-dominating-file directory #'texgeist--root-document-p)))
      (and root (not (equal (expand-file-name root) (expand-file-name "~/"))) (cons 'transient root)))))

(defun texgeist--root-document-p (folder)
  (and (file-directory-p folder)
       (seq-some (lambda (file)
                   (with-temp-buffer
                     (ignore-errors (insert-file-contents file nil 0 20000))
                     (re-search-forward "^[^%\n]*\\\\documentclass" nil t)))
                 (directory-files folder t "\\`[^.].*\\.tex\\'" nil 50))))

;;;###autoload
(defun texgeist-setup-eglot ()
  "Let eglot start texgeist in LaTeX and BibTeX buffers."
  (require 'eglot)
  (add-hook 'project-find-functions #'texgeist-find-project 90)
  (add-to-list 'eglot-server-programs
               `(,texgeist-modes . (,@texgeist-command :initializationOptions
                                                       (:client "eglot" :lists t :settings ,(or texgeist-settings
                                                                                       (make-hash-table)))))))

;;;###autoload
(defun texgeist-setup-lsp-mode ()
  "Register texgeist with lsp-mode; it runs beside another LaTeX server."
  (require 'lsp-mode)
  (add-hook 'project-find-functions #'texgeist-find-project 90)
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () texgeist-command))
                    :major-modes texgeist-modes
                    :add-on? t
                    :initialization-options
                    (lambda () (list :client "lsp-mode" :lists t :units (texgeist--lsp-units)
                                     :runsCommands (if (texgeist--completes-whole-p) t :json-false)
                                     :settings (or texgeist-settings (make-hash-table))))
                    :notification-handlers (texgeist--heard)
                    :server-id 'texgeist)))

(defun texgeist--completes-whole-p ()
  "Whether what completes here does what follows when a paper is taken.
company and corfu do; with Emacs' own list lsp-mode puts in the label alone."
  (or (fboundp 'company-mode) (fboundp 'corfu-mode)))

(defun texgeist--lsp-units ()
  "The units of lsp-mode: some versions count characters, not UTF-16 units."
  (with-temp-buffer
    (insert #x1F600)
    (if (= 1 (plist-get (lsp-point-to-position (point)) :character)) "utf-32" "utf-16")))

(defun texgeist--heard ()
  "What the server tells of its state; its messages say what matters."
  (let ((handlers (make-hash-table :test #'equal)))
    (puthash "texgeist/status" #'ignore handlers)
    (puthash "texgeist/pick"
             (lambda (workspace params)
               (let* ((params (texgeist--properties params)) (id (plist-get params :id)))
                 (run-at-time 0 nil #'texgeist--pick (plist-get params :title) (plist-get params :items)
                              (lambda (chosen)
                                (let ((lsp--cur-workspace workspace))
                                  (texgeist--lsp-request
                                   (list :command "texgeist.server.picked"
                                         :arguments (vector (list :id id :chosen chosen)))))))))
             handlers)
    (puthash "texgeist/panel"
             (lambda (_workspace params)
               (run-at-time 0 nil #'texgeist--panel (plist-get (texgeist--properties params) :markdown)))
             handlers)
    handlers))

(provide 'texgeist)
;;; texgeist.el ends here
