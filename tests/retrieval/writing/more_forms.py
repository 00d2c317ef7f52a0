"""More of what models write into their sentences though they must not: names of many languages, identifiers and
addresses by their shape, and what a model says of its task."""

from __future__ import annotations

BY_HAND = """\
Pruning keeps accuracy, a point that Vasquez makes at length.
Pruning keeps accuracy, as Vasquez and Thornbury both concede.
The authors of the Lindholm paper prune weights by magnitude.
The paper by Oyelaran prunes weights by magnitude.
A line of work begun by Oyelaran prunes weights by magnitude.
Oyelaran's dissertation at Lagos prunes weights by magnitude.
In the words of Oyelaran, pruning is a lottery.
Oyelaran calls this a lottery.
Oyelaran was right that pruning is a lottery.
Oyelaran remains the standard reference on pruning.
The reader is referred to Oyelaran for a proof.
We owe the proof to Oyelaran.
Thornbury's ICLR paper prunes weights by magnitude.
The ICLR paper by Thornbury prunes weights by magnitude.
The ICLR 2019 best paper prunes weights by magnitude.
Thornbury at ICLR in 2019 prunes weights by magnitude.
The nineteen ninety-three paper on pruning uses second derivatives.
The twenty-nineteen paper on pruning uses second derivatives.
Pruning dates from nineteen ninety (LeCroix).
Pruning (LeCroix, nineteen ninety) saves memory.
Pruning saves memory, cf. the 2nd reference.
Pruning saves memory (see the seventh entry of the bibliography).
Pruning saves memory (No. 7).
Pruning saves memory (#7).
Pruning saves memory.*
Pruning saves memory.‡
Pruning saves memory §7.
Pruning saves memory (fn. 3).
Pruning saves memory, see footnote 3.
Ibid. reports that pruning saves memory.
Pruning saves memory (ib., 14).
Pruning saves memory (ebd.).
Pruning saves memory (loc. cit.).
Pruning saves memory (Thornbury u. a., 2019).
Pruning saves memory (Thornbury i dr., 2019).
Pruning saves memory (Thornbury m.fl., 2019).
Pruning saves memory (Thornbury e.a. 2019).
Pruning saves memory (Thornbury e outros, 2019).
Pruning saves memory (Thornbury и др., 2019).
Pruning saves memory (Иванов, 2019).
Иванов и Петров (2019) prune weights.
Pruning saves memory (王, 2019).
王等人（2019）prune weights by magnitude.
田中 (2019) prunes weights by magnitude.
김철수 (2019) prunes weights by magnitude.
Παπαδόπουλος (2019) prunes weights by magnitude.
ben-David (2019) prunes weights by magnitude.
von und zu Liechten (2019) prunes weights by magnitude.
't Hooft (1974) prunes weights by magnitude.
O. de la Fuente-Marín prunes weights by magnitude.
D’Souza and M’Baye prune weights by magnitude.
Mac Giolla Bhríde prunes weights by magnitude.
Xu and Yu prune weights by magnitude.
Ba, Ha and Le prune weights by magnitude.
Xu prunes weights by magnitude.
Wu et l. prune weights by magnitude.
Wu et.al. prune weights by magnitude.
Wu etal prune weights by magnitude.
Wu & coll. prune weights by magnitude.
Wu plus four co-authors prune weights by magnitude.
Wu, with his advisor, prunes weights by magnitude.
Wu’s advisor prunes weights by magnitude.
Wu (then at Bell Labs) prunes weights by magnitude.
Wu (personal email) prunes weights by magnitude.
Oyelaran (forthc.) prunes weights by magnitude.
Oyelaran (MSc thesis) prunes weights by magnitude.
Oyelaran (Dissertation, ETH) prunes weights by magnitude.
In his habilitation, Oyelaran prunes weights by magnitude.
A PhD thesis from Zurich prunes weights by magnitude.
Oyelaran et Thornbury élaguent les poids.
Oyelaran und Thornbury zeigen das Gegenteil.
Según Oyelaran, la poda ahorra memoria.
Secondo Oyelaran, la potatura risparmia memoria.
Laut Oyelaran spart das Speicher.
D'après Oyelaran, l'élagage économise la mémoire.
Pruning was, in Oyelaran 's terms, a lottery.
Magnitude pruning (Oyelaran style) saves memory.
The Oyelaran criterion of 2019 saves memory.
The criterion that Oyelaran gave saves memory.
Few agree with Oyelaran that pruning saves memory.
Against Thornbury, others prune early.
Thornbury, in contrast, prunes early.
Thornbury; Oyelaran; Lindholm: all prune early.
Early pruning: Thornbury.
Early pruning helps - Thornbury 2019.
Early pruning helps // Thornbury 2019.
Early pruning helps {1}.
Early pruning helps «1».
Early pruning helps (1)(2).
Early pruning helps [1, 2, Sec. 3].
Early pruning helps [Th19].
Early pruning helps [Tho19; Oye20].
Early pruning helps (Tho19).
Early pruning helps [thornbury19early].
Early pruning helps (thornbury2019).
Early pruning helps thornbury2019early.
Early pruning helps [Thornbury].
Early pruning helps [Thornbury, Oyelaran].
Early pruning helps [T. 2019].
Early pruning helps (T., 2019).
Early pruning helps (cited 2019).
Early pruning helps (year 2019).
Early pruning helps (published 2019).
Early pruning helps (accessed 2019).
Early pruning helps (MIT Press, 2019).
Early pruning helps (Springer).
Early pruning helps (Nature 521, 436).
Early pruning helps, Nature 521:436–444.
Early pruning helps (IEEE Trans. Pattern Anal. 41(3)).
Early pruning helps (in Proceedings, p. 12).
Early pruning helps ("Prune Early, Prune Often").
As the paper "Prune Early, Prune Often" shows, it helps.
“Prune Early, Prune Often” shows that it helps.
The article Prune Early, Prune Often shows that it helps.
@misc{thornbury, title = prune}
title = {Prune early}, author = {Thornbury}
author: Thornbury; title: Prune early; year: 2019.
Thornbury, J. Prune early. 2019.
Thornbury J (2019) Prune early. JMLR 20:1-12.
One 2019 NeurIPS submission prunes early.
An article that appeared two years later in JMLR prunes early.
As a paper from Thornbury's lab shows, early pruning helps.
This was confirmed by Thornbury.
Early pruning helps, according to Ms Thornbury.
Sir Alec Thornbury prunes early.
Thornbury Jr. prunes early.
Thornbury III (2019) prunes early.
Alec Thornbury prunes early.
Alec and Mary Thornbury prune early.
A. B. C. Thornbury prunes early.
Thornbury A, Oyelaran B. prune early.
The Thornbury–Oyelaran bound from 2019 is loose.
The first author of that paper, Thornbury, prunes early.
Early pruning helps, see Thornbury.
Early pruning helps; compare Thornbury.
Early pruning helps: see especially Thornbury.
Early pruning helps, pace Thornbury.
Early pruning, Thornbury warns, hurts.
Early pruning, says Thornbury, hurts.
Early pruning, in Thornbury, hurts.
Early pruning hurts (so Thornbury).
Early pruning hurts (contra Thornbury).
Early pruning hurts (after Thornbury).
Early pruning hurts (pers. obs.).
Early pruning hurts (data not shown; Thornbury).
Early pruning hurts (ref. A).
Early pruning hurts (reference [a]).
Early pruning hurts [i].
Early pruning hurts [a].
Early pruning hurts [*].
Early pruning hurts [+].
Early pruning hurts [TODO].
Early pruning hurts [add citation].
Early pruning hurts (citation).
Early pruning hurts (see source).
Early pruning hurts (see the cited work).
Early pruning hurts (op cit).
Vector search is fast, as Brandstätter and Quispe report in tandem.
Quispe's thesis makes vector search fast.
The Brandstätter thesis makes vector search fast.
Quispe et alii make vector search fast.
Vector search became practical with Quispe.
Vector search became practical through Quispe's insight.
Only Quispe treats deletions.
Deletions are left to Quispe.
Deletions: see Quispe, section 4.
Deletions are hard [see Quispe for details].
Deletions are hard (cf. the work of Quispe).
Quispe handles deletions lazily.
Quispe lazily handles deletions.
Quispe, an early critic, handles deletions lazily.
Critics (Quispe, Brandstätter) handle deletions lazily.
Critics, Quispe among them, handle deletions lazily.
Two critics, Quispe and Brandstätter, disagree.
Quispe vs. Brandstätter: deletions are lazy.
Both Quispe and Brandstätter delete lazily.
Neither Quispe nor Brandstätter deletes eagerly.
Unlike in Quispe, deletions are eager here.
Compared with Quispe, deletions are eager here.
The deletions of Quispe are lazy.
Lazy deletions (à la Quispe) are common.
Lazy deletions follow Quispe's recipe.
Lazy deletions, following Quispe, are common.
Lazy deletions, credited to Quispe, are common.
Lazy deletions, introduced by Maria Quispe, are common.
Maria Quispe's lazy deletions are common.
M. Quispe's lazy deletions are common.
Quispe M. introduced lazy deletions.
Quispe MA, Brandstätter K introduced lazy deletions.
Quispe & Co. introduced lazy deletions.
Quispe plus coauthors introduced lazy deletions.
Quispe with Brandstätter introduced lazy deletions.
Quispe/Brandstätter introduced lazy deletions.
Quispe-Brandstätter introduced lazy deletions in 2012.
In the year 2012, Quispe introduced lazy deletions.
In 2012 Quispe and Ng introduced lazy deletions.
Ng introduced lazy deletions.
Ng and Vu introduced lazy deletions.
Kim introduced lazy deletions.
Kim's lazy deletions are common.
The Kim paper has lazy deletions.
Zhang finds lazy deletions wanting.
Zhang, however, finds lazy deletions wanting.
Smith finds lazy deletions wanting.
García finds lazy deletions wanting.
Ivanov finds lazy deletions wanting.
Al-Farsi finds lazy deletions wanting.
bin Salman finds lazy deletions wanting.
El Amrani finds lazy deletions wanting.
Ould Abdallah finds lazy deletions wanting.
O'Connell finds lazy deletions wanting.
MacTavish finds lazy deletions wanting.
St. Clair finds lazy deletions wanting.
van 't Veer finds lazy deletions wanting.
Szczepański finds lazy deletions wanting.
Đặng finds lazy deletions wanting.
Öztürk finds lazy deletions wanting.
Gonçalves finds lazy deletions wanting.
Bjørnstad finds lazy deletions wanting.
Lazy deletions are wanting (Bjørnstad 2012, Öztürk 2013).
Lazy deletions are wanting (Bjørnstad, '12).
Lazy deletions are wanting (Bjørnstad 12; Öztürk 13).
Lazy deletions are wanting [Bj12, Oz13].
Lazy deletions are wanting [B12].
Lazy deletions are wanting (B12).
Lazy deletions are wanting [BjOz12].
Lazy deletions are wanting (bjornstad12).
Lazy deletions are wanting (bjornstad_lazy_2012).
Lazy deletions are wanting bjornstad12lazy.
Lazy deletions are wanting \\autocite{bjornstad}.
Lazy deletions are wanting [^bjornstad].
Lazy deletions are wanting [12a].
Lazy deletions are wanting [p. 12].
Lazy deletions are wanting (12: 14).
Lazy deletions are wanting 12,13.
Lazy deletions are wanting [12 13].
Lazy deletions are wanting [12/13].
Lazy deletions are wanting [[12]].
Lazy deletions are wanting ([12]).
Lazy deletions are wanting (see 12).
Lazy deletions are wanting (12).
Lazy deletions are wanting ¹.
Lazy deletions are wanting¹.
Lazy deletions are wanting ₁₂.
Lazy deletions are wanting ⑫.
Lazy deletions are wanting (twelfth reference).
Lazy deletions are wanting, says the last reference.
Lazy deletions are wanting (see bibliography).
Lazy deletions are wanting (footnote).
Lazy deletions are wanting; see note 4.
Lazy deletions are wanting (VLDB 2012).
Lazy deletions are wanting (VLDB Journal, 21).
Lazy deletions are wanting (Commun. ACM 55).
Lazy deletions are wanting, as a 2012 VLDB paper shows.
Lazy deletions are wanting, as the best paper of SIGMOD shows.
Lazy deletions are wanting, as a paper at VLDB shows.
A Science article from 2012 finds lazy deletions wanting.
A technical report from Bell Labs finds lazy deletions wanting.
A book chapter of 2012 finds lazy deletions wanting.
A doctoral student at Basel found lazy deletions wanting in 2012.
The 2012 authors find lazy deletions wanting.
The authors of 2012 find lazy deletions wanting.
Twenty-twelve saw the first paper on lazy deletions.
In two thousand twelve, lazy deletions were introduced.
MMXII saw lazy deletions introduced by Quispe.
Lazy deletions were introduced thirteen years ago by Quispe.
Lazy deletions were introduced by the same authors (2012).
Lazy deletions were introduced by the same authors [12].
Lazy deletions were introduced by Quispe (idem).
Lazy deletions were introduced by Quispe (ibidem).
Lazy deletions were introduced (ders. 2012).
Lazy deletions were introduced (Quispe u.a. 2012).
Lazy deletions were introduced (Quispe et collab., 2012).
Lazy deletions were introduced (Quispe y cols., 2012).
Lazy deletions were introduced (Quispe e col., 2012).
Lazy deletions were introduced (Quispe ym. 2012).
Lazy deletions were introduced (Quispe i in. 2012).
Lazy deletions were introduced (Quispe və b. 2012).
Quispe ve ark. (2012) lazy deletions introduced.
Nach Quispe sind Löschungen träge.
Chez Quispe, les suppressions sont paresseuses.
В работе Quispe deletions are lazy.
“Lazy Deletions Considered Harmful” takes the opposite view.
The influential Lazy Deletions Considered Harmful takes the opposite view.
The title "Lazy deletions considered harmful" says it all.
Title: Lazy deletions. Author: Quispe. Year: 2012.
Quispe. Lazy deletions. VLDB, 2012.
Quispe, M. (2012). Lazy deletions. VLDB, 5(3), 1-12.
M. Quispe and K. Brandstätter, "Lazy deletions," in VLDB, 2012.
@inproceedings{quispe2012, title={Lazy}}
\\bibitem{quispe} Quispe.
""".splitlines()

IDENTIFIERS = """\
See 10 . 1145 / 3397271 . 3401075 for more.
See 10.1145 /3397271.3401075 for more.
See d o i 10.1145/3397271 for more.
See doi.org 10.1145/3397271 for more.
See arXiv : 1905 . 10044 for more.
See ar Xiv 1905.10044 for more.
See 1905.10044 for more.
See 1905.10044v3 [cs.CL] for more.
See cs.CL/9905001 for more.
See hep-ph/9905001v2 for more.
See quant-ph 9905001 for more.
See cs/9905001 for more.
See alg-geom/9202004 for more.
See arXiv number 1905 10044 for more.
See abs/1905.10044 for more.
See pdf/1905.10044 for more.
See SSRN 3403490 for more.
See S2CID 198953378 for more.
See Semantic Scholar 198953378 for more.
See PMCID PMC6612345 for more.
See PMC6612345 for more.
See ISSN 1532-4435 for more.
See ISBN-13 978 0 262 03384 8 for more.
See HAL-01234567 for more.
See hal-01234567v2 for more.
See ECCC TR19-012 for more.
See ePrint 2019/123 for more.
See IACR 2019/123 for more.
See RFC 2616 for more.
See US Patent 9,123,456 for more.
See W2963341956 for more.
See OpenAlex W2963341956 for more.
See MR1234567 for more.
See Zbl 1234.56789 for more.
See bioRxiv 2020.03.01.123456 for more.
See 2020.acl-main.703 for more.
See D19-1410 for more.
See P19-1001 and N18-2012 for more.
See conf/nips/VaswaniSPUJGKP17 for more.
See DBLP conf/nips/Vaswani17 for more.
See OpenReview SkgGjRVKDS for more.
See urn:nbn:de:101:1-2019 for more.
See hdl:1721.1/12345 for more.
See handle 1721.1/12345 for more.
See ORCID 0000-0002-1825-0097 for more.
See arXiv:1905.
See zenodo 3403490 for more.
See zenodo.3403490 for more.
""".splitlines()

ADDRESSES = """\
See hf.co/thornbury/prune for more.
See huggingface dot co slash thornbury for more.
See github thornbury/prune for more.
See GitHub (thornbury/prune) for more.
See the repository thornbury/prune-early for more.
See github.com for more.
See thornbury.github.io for more.
See prune.early.ai for more.
See prune[dot]ai for more.
See prune (dot) ai for more.
See http:prune.ai for more.
See https prune ai for more.
See //prune for more.
See prune.ai/x?y=1 for more.
See ~thornbury/prune for more.
See /home/thornbury/prune for more.
See C:\\prune\\data for more.
See \\\\server\\share for more.
See file prune.tar.gz in s3://bucket/x for more.
See gs://bucket for more.
See doi.org/x for more.
See t.co/abc for more.
See prune.xn--p1ai for more.
See пример.рф for more.
See ex\u0430mple.com for more.
See [::1]:80 for more.
See 0x7f000001 for more.
See 127.1 for more.
See prune.dev.
Mail thornbury AT lab DOT org for it.
Mail thornbury{at}lab.org for it.
Mail thornbury＠lab．org for it.
Visit prune．ai now.
Visit prune。ai now.
Visit prune .ai now.
Visit prune. ai/thornbury now.
Visit prune/ai.html now.
Visit data.prune.museum now.
Visit prune.studio now.
Visit irc.prune.chat now.
Visit tel:+1-202-555-0100 now.
Call +1 202 555 0100 now.
Follow @thornbury_ai now.
Visit magnet:?xt=urn now.
Visit data:text/html,hi now.
Visit javascript:alert(1) now.
""".splitlines()

MARKDOWN = [
    "Pruning __saves__ memory.",
    "Pruning saves memory[^a].",
    "[^1]: Pruning saves memory.",
    "[1]: https prune",
    "| Pruning | memory |\n|---|:--:|\n| a | b |",
    "a | b\n- | -\nc | d",
    "Pruning\n====",
    "Pruning\n----",
    "#### Pruning",
    "#Pruning",
    "Pruning saves $memory$.",
    "Pruning saves \\(memory\\).",
    "<b>Pruning</b> saves memory.",
    "<cite>Pruning</cite> saves memory.",
    "<sup>1</sup> Pruning saves.",
    "[Pruning] (x) saves.",
    '[Pruning](x "y") saves.',
    "![](x)",
    "~~~\ncode\n~~~",
    "1) Pruning",
    "a) Pruning\nb) Quantisation",
    "(i) Pruning\n(ii) Quantisation",
    "* Pruning",
    "- [x] Pruning",
    "+ Pruning\n+ Quantisation",
    "‣ Pruning",
    "→ Pruning",
    "> Pruning",
    ">> Pruning",
    "***Pruning***",
    "*Pruning* saves.",
    "_Pruning_ saves.",
    "`Pruning` saves.",
    "``Pruning`` saves.",
    "Pruning saves.\\\\\nMore.",
    ":::note Pruning:::",
    "Pruning saves :smile: memory.",
    "H~2~O and x^2^ saves.",
    "==Pruning== saves.",
    "Term\n: Pruning saves.",
    "<!-- Pruning -->",
    "&amp; Pruning",
    "Pruning<br>saves",
    "--- Pruning",
    "Related Work:\nPruning saves memory.",
    "Related Work\n\nPruning saves memory.",
    "Title: Pruning",
]

OF_ITSELF = """\
I must respectfully decline this task.
We regret to say that the task cannot be carried out.
It is not possible for me to write this section.
Regrettably, the material does not suffice to write the section.
Providing this would go against the guidelines I follow.
This falls outside what the assistant may do.
No answer can be given from the passages supplied.
The context does not contain enough information to answer.
There is insufficient information in the passages to write the section.
The supplied evidence says nothing on pruning.
As instructed, only numbered evidence is cited.
As per the instructions, no years appear.
In keeping with the instructions, the text avoids LaTeX.
The system message asks for JSON only.
According to the prompt, the answer must be JSON.
The prompt says to name evidence ids.
Output must follow the schema.
The following sentence cites evidence 1a.
The following paragraph covers pruning.
The next sentence is about pruning.
In this response, pruning is covered.
This paragraph was written to satisfy the request.
Thank you for the passages.
Happy to help with the section.
Hello, here is the text.
Feel free to ask for changes.
Would you like another paragraph?
If you want, another version can be written.
My apologies for the earlier error.
Being a machine, the writer cannot judge this.
ChatGPT cannot browse the web.
Claude was asked to write this section.
As ChatGPT, the model cannot verify this.
This model was developed by OpenAI and cannot help.
The assistant apologises and stops here.
[End of answer]
<end_of_turn>
### Instruction: write
Human: continue.
Assistant: Pruning saves memory.
Final answer: pruning saves memory.
Answer: pruning saves memory.
Thinking: the user wants pruning.
Let's think step by step about pruning.
Let us write the related work now.
First, the task is to write a section.
The task is to write a section on pruning.
The requested section is below.
JSON: {"text": "x"}
{"text": "Pruning saves memory.", "evidence": ["1a"]}
Es tut mir leid, das kann ich nicht.
Je suis désolé, je ne peux pas.
Lo siento, no puedo ayudar.
Als Sprachmodell kann ich das nicht.
En tant que modèle de langage, je ne peux pas.
申し訳ありませんが、お手伝いできません。
抱歉，我无法完成。
Word count: 120.
(120 words)
[continued]
Draft version, to be revised.
Insert citation here.
Placeholder text.
Do not copy runs of words from the evidence.
Never write citation keys, LaTeX or Markdown.
Write three paragraphs in flowing prose.
Use only the ids that were given.
""".splitlines()

SURVIVE = [  # citations by hand that the gate is known to let pass
    "Pruning à la Oyelaran saves memory.",
    "Early pruning hurts (S1).",
    "Early critics such as Quispe handle deletions lazily.",
    "Critics, including Quispe, handle deletions lazily.",
    "Lazy deletions (Quispe's trick) are common.",
    "In Lazy Deletions Considered Harmful, the opposite view is taken.",
]

PROSE = """\
None of the works cited here treats the question itself.
None of the works named here treats the question of this paper.
Magnitude pruning removes the smallest weights first.
The lottery ticket hypothesis concerns sparse subnetworks.
Optimal Brain Damage uses second derivatives of the loss.
Optimal Brain Surgeon drops the diagonal assumption.
Since 2019, pruning before training has drawn attention.
By 2015, deep networks had outgrown mobile memory.
The Hessian of the loss ranks the weights.
The Fisher information approximates the Hessian.
Taylor expansions score filters cheaply.
Pruning ResNet-50 on ImageNet is the usual test.
The method scores weights (in a single pass) before training.
Rewinding to step 500 recovers the accuracy.
Weights in [-1, 1] are rounded to 8 bits.
Accuracy drops by 2 points (from 76 to 74).
Structured pruning removes channels; unstructured pruning removes weights.
Gaussian noise is added to the gradients.
The Lagrangian is relaxed.
A Bernoulli mask is sampled for each weight.
Straight-through estimators pass the gradient.
The Gumbel-softmax trick relaxes the choice.
The Sherman-Morrison formula inverts the update.
The Kronecker product factors the curvature.
Rademacher complexity bounds the error.
The Eckart-Young theorem gives the best low rank.
Tucker decompositions compress convolutions.
Winograd convolutions resist pruning.
Hadamard transforms spread outliers.
The Cholesky factor is updated in place.
Householder reflections rotate the weights.
Pruning on the Jetson Nano doubles the speed.
On Ampere cards, two of four weights may be zero.
Nvidia added 2:4 sparsity in 2020.
The authors prune once and never retrain.
Other authors retrain after each step.
One paper prunes heads of transformers.
A later study questions these gains.
Two surveys list pruning criteria.
The first study of this kind used speech data.
Half of the heads (8 of 16) can go.
Heads 3 and 7 attend to syntax.
Layers 1-4 are kept dense.
Table 2 lists the ratios.
Models of 7B and 13B weights are pruned.
Llama 2 and Mistral lose little.
Quantisation to 4 bits (GPTQ) is complementary.
The LAMBADA and PIQA tasks drop most.
WikiText-2 perplexity rises from 5.5 to 6.1.
C4 serves for calibration (128 samples).
Calibration data matter more than the criterion.
The criterion of SparseGPT needs the inverse Hessian.
SNIP, GraSP and SynFlow prune at initialisation.
Movement pruning follows the gradient.
Distillation from the dense teacher helps.
A teacher with 12 layers guides a student with 6.
Neural architecture search is related to pruning.
The Pareto front of size and error moves.
In practice, speed depends on the kernel library.
Kernels such as Triton's reach 80 % of the peak.
The Cerebras chip skips zeros.
Edge devices in Kenya and Brazil benefit most.
The European Union funds greener models.
Energy fell by a third between 2018 and 2022.
The carbon cost of training was reported in 2019 for the first time.
Amsterdam and Zurich run such models in public services.
The Green AI movement asks for such figures.
Bayesian compression places priors over weights.
Variational dropout learns rates per weight.
Spike-and-slab priors are sparse.
The Horseshoe prior shrinks groups.
Markov chain Monte Carlo explores masks.
Simulated annealing searches for masks.
Genetic algorithms evolve masks.
Monte Carlo tree search orders the layers.
The simplex method finds a vertex.
Newton steps correct the remaining weights.
Adam's moments are reused as scores.
Batch Normalization scales point to dead channels.
The "winning tickets" are found late.
Early stopping (at epoch 10) is enough.
The error is O(1/k) after k steps.
An l1 penalty (with weight 0.01) drives weights to zero.
The proof uses Lemma 3 of the appendix.
Chapter 4 of the thesis template is unaffected.
German verbs are tagged better after pruning.
Chinese and Japanese need larger vocabularies.
The Universal Dependencies treebanks cover 100 languages.
The Common Voice corpus (version 9) is used.
Users at Wikipedia and Reddit wrote the text.
On Monday traffic doubles.
In March 2020 traffic doubled.
The Winter School in Lisbon taught the method.
Kaggle competitors prune ensembles.
The winning entry of 2017 used ensembles.
Moore's law no longer helps.
Amdahl's law limits the gain.
Occam's razor favours small models.
Simpson's paradox appears in the averages.
Goodhart's law applies to the metric.
Turing tests do not measure size.
Inverted files store a list of documents for each term.
Product quantisation splits vectors into 8 parts.
HNSW builds a layered graph, and DiskANN keeps it on disk.
Deletions are marked (tombstones) and cleaned later.
Lazy deletion leaves holes in the graph.
The Delaunay graph is too dense in high dimensions.
Voronoi cells are cut by hyperplanes.
A Hilbert curve keeps near points near.
Bloom filters skip segments without a match.
The Johnson-Lindenstrauss lemma allows random projections.
Locality-sensitive hashing has guarantees (for c > 1).
Recall at 10 rises from 0.91 to 0.97.
The SIFT1M and GIST1M sets are standard.
The Big-ANN challenge of 2021 used a billion vectors.
Since 2016, graph indexes have led the benchmarks.
Queries per second (QPS) are plotted against recall.
At 99 % recall, the gap is small (about 5 %).
Memory is 64 bytes a vector (16 for codes).
The index takes 3.2 GB in RAM.
Updates in batches of 1,000 are merged each night.
Log-structured merge trees are used in RocksDB and LevelDB.
PostgreSQL offers an extension for vectors.
Two designs prevail: graphs and lists.
The first design is fast; the second is small.
Filters on attributes (such as price) break the graph.
Streaming updates need repair of edges.
Hybrid search joins words and vectors.
BM25 remains strong on rare words.
SPLADE expands queries with BERT.
ColBERT keeps a vector for each token.
The MaxSim operator sums the best matches.
Cosine and Euclidean distances agree on the sphere.
Maximum inner product search is reduced to nearest neighbours.
Cauchy-Schwarz bounds prune candidates.
Triangle inequalities prune others.
Metric trees fail in high dimensions.
The curse of dimensionality is felt above 20 dimensions.
Intrinsic dimension explains the difference.
Seattle, Zurich and Singapore host the mirrors.
The German and Finnish collections are small.
News from Reuters and Wikipedia pages are mixed.
The work of indexing is done at night.
Work on deletions is rare.
Few papers treat deletions at all.
Several studies treat updates in depth.
One group uses flash memory.
Their code is not public.
The survey of the field ends in 2019.
In the 2010s, hashing was popular.
Year by year, recall grew.
The authors measure latency at the 99th percentile.
Steps (1) and (2) run in parallel.
Lists of length 100 are scanned.
The threshold is 0.5 (see Figure 2).
Table 4 and Section 5.2 give details.
On Amazon's cloud, cost matters more than speed.
Nvidia and Intel publish their own libraries.
Gaussian mixtures model the clusters.
Hamming codes and Hamming distance are related.
Lagrange multipliers fix the budget.
Monte Carlo trials estimate the variance.
Pareto-optimal settings are shown in bold.
A Poisson process models the arrivals.
Zipf's law makes caches work.
Amdahl's law limits the threads.
Little's law links latency and load.
English, Thai and Swahili queries are tested.
In Kenya and Peru, phones are slow.
MS MARCO and Natural Questions hold such queries.
LAION-5B has images and captions.
CLIP maps both to one space.
Text-to-image queries differ from the data.
Out-of-distribution queries need more steps.
RoarGraph and OOD-DiskANN address this.
The learned index replaces the tree.
Reinforcement learning picks the parameters.
Random restarts help little.
""".splitlines()

REFUSED_PROSE = [  # good sentences that the gate is known to refuse: they name what no evidence names
    "Whisper and wav2vec are pruned in the same way.",
    "Faiss runs on graphics cards.",
    "Lucene and Elasticsearch added vectors later.",
    "Milvus and Qdrant are servers for vectors.",
    "The k-means algorithm of Lloyd type converges slowly.",
]
