"""Lists of words that end a noun phrase, and of words that are not specific to a subject."""

from __future__ import annotations

import re

FUNCTION = frozenset(
    """
    a an the and or but nor so yet if then else when while where which who whom whose that this
    these those it its they them their we us our you your he she his her i me my of in on at by for
    with without within from into onto over under between among across through during before after
    above below up down out off again further to as is are was were be been being am do does did
    doing have has had having can could may might must shall should will would not no own same than
    too very s t just also both each few more most other some such all any here there how why what
    because until against about via per using based toward towards upon whether either neither
    rather however thus hence therefore moreover furthermore one two three four five many much
    several various different new novel recent existing previous prior current first second third
    well even still often good better best great important significant effective efficient simple
    general specific proposed given called named able due i.e e.g etc vs et al like instead despite
    although though since unlike whereas beyond along around less least every another first-ever
    state-of-the-art sota end proposed-method including lead leads leading allowed enabling require
    requires required need needs needed made used taken get gets become becomes remain remains shown
    achieved improved outperform outperforms known suffer suffers following followed available major
    similar certain particular overall entire whole full together extensive comprehensive
    experiments experimental results result performance method methods approach approaches work
    works paper papers problem problems technique techniques framework frameworks issue issues way
    ways number analysis art code page dataset datasets advantage advantages ability abilities
    setting settings multiple limited diverse potential promising increasing strong richer useful
    practical asked written write read reads people person author authors easy hard fast slow says
    say said names name hold holds keep keeps gave found see sees seen goes gone deep-look thing
    things kind kinds levels
    """.split()
)
NOT_HEAD = re.compile(
    r"(?:ly|ous|ful|able|ible|ive|ed|est|ish|less|ary|wise|based|aware|driven|free|guided|specific|level"
    r"|scale|end|step|shot|definite|finite|supervised|trained|tuned)$"
    r"|(?<!retriev)(?<!sign)(?<!propos)(?<!remov)(?<!apprais)(?<!denoi)(?<!potenti)(?<!integr)al$"
    r"|(?<!top)(?<!metr)(?<!log)(?<!mus)(?<!heurist)(?<!statist)(?<!traff)(?<!dynam)ic$"
    r"|^(?:generative|multi|cross|zero|few|dense|sparse|deep|neural|open|natural|open-domain|low|human"
    r"|long|self|pre|non|semi|fine|scientific|machine|inter|intra)$"
)
GOOD_ING = frozenset("learning answering training ranking reranking re-ranking indexing hashing "
                      "clustering prompting reasoning processing matching "
    "modeling modelling embedding writing planning tuning fine-tuning pre-training pretraining "
    "understanding parsing tagging searching "
    "summarising checking encoding decoding sampling pruning masking grounding scaling alignment linking "
    "mining chunking routing "
    "rewriting caching coding drafting reading rendering editing sensing testing forecasting tracking "
    "pooling forgetting debiasing hedging denoising scheduling serving distilling unlearning".split())  # fmt: skip
NAMES = frozenset("bayesian gaussian markov monte carlo wikipedia bregman wasserstein euclidean "
                   "riemannian hilbert fourier bernoulli dirichlet "
    "poisson laplace newton nash hamiltonian lagrangian kalman boltzmann turing english chinese arabic "
    "java german french japanese korean "
    "indian european hermitian abelian twitter github milvus python latex langevin stein shapley "
    "thompson pareto lipschitz cauchy schrödinger "
    "fisher fréchet sobolev banach jacobian hessian einstein ising feynman bose fermi dirac higgs "
    "majorana stackelberg hopfield".split())  # fmt: skip
BLAND = frozenset(
    "extended abstract|downstream task|computational cost|safety critical application|real world application|experimental "
    "result|wide range|training data|"
    "test set|proposed approach|human being|recent year|open source|deep learning|neural network|machine "
    "learning|deep neural network|"
    "natural language|superior performance|training process|different domain|real world|better "
    "understanding|time consuming|"
    "computational complexity|ablation study|source code|data set|input data|loss function|objective "
    "function|large number|new state"
    "|publicly available|free text|machine learning model|learning model|latent space|training "
    "time|large model|previous method|plain text|high quality|scientific paper|research paper".split("|")
)
BROAD_START = frozenset(
    "large small long short standard common key main high low single human data task state case part "
    "little real".split()
)
# General nouns. A phrase that consists only of these words is not specific to a subject.
WIDE = frozenset("model system data information algorithm process quality output input user example "
                  "feature representation knowledge "
    "probability interaction guarantee similarity sentence document passage citation generator "
    "retriever consistency relation relationship correlation accuracy efficiency robustness learning "
    "training capability modality generalization optimization evaluation distribution application "
    "generation task word point form level "
    "state case part detection classification recognition dimension architecture domain context "
    "objective loss constraint parameter "
    "network function space time size term type baseline benchmark corpus".split())  # fmt: skip


# Countable nouns, which need an article in the singular.
COUNTED = frozenset(
    "network model system algorithm test graph cloud equation codec transformer agent encoder decoder "
    "kernel guarantee bandit field game manifold "
    "assistant engine section document review recommender retriever embedding machine tree forest metric "
    "benchmark corpus classifier "
    "detector simulator generator sampler solver autoencoder filter prior tensor expert "
    "attack question sentence passage diagram formulation".split()
)  # fmt: skip

# Phrases that are too frequent in abstracts to be the theme of a paragraph.
COMMON = frozenset(
    "language model|large language model|large language models|neural network|deep neural network|deep learning|machine learning"
    "|neural network model|foundation model|generative model|diffusion model|vision language model|pre trained language model"
    "|pretrained language model|pre trained model|training data|natural language|language generation|recommendation model|training process"
    "|data sample|tabular data|synthetic data|real world data|learning algorithm|deep model|deep network|learning model|model training"
    "|model performance|model parameter|test data|input data|image data|text data|user data|data distribution|language processing"
    "|natural language processing|artificial intelligence|computer vision|computer science|decision making|transformer model"
    "|attention mechanism|neural model|representation learning|supervised learning|inference time|training time|data set"
    "|text generation|language understanding|llm agent|open source model|human evaluation|learning rate|gradient descent|optimization problem"
    "|lower bound|upper bound|loss function|classification task|computational cost|network architecture|latent space|objective function"
    "|model size|future research|ground truth|learning framework|model architecture|generation task|feature space|unlabeled data|labeled data"
    "|sample efficiency|training sample|generalization capability|evaluation metric|prediction task|contextual information|computational overhead"
    "|search space|input image|sample size|baseline model|research community|prediction accuracy|semantic information|visual information"
    "|training procedure|training strategy|model output|error rate|real world scenario|design choice|empirical evidence|theoretical guarantee"
    "|success rate|broad range|test accuracy|feature map|research direction|cost function|global model|local model|trained model|vision task"
    "|complex task|domain knowledge|pre trained language|large language|reward function|embedding space|wide variety|test time|pre training"
    "|fine tuning|network model|generation process|target domain|source domain|convergence rate|theoretical finding|social network"
    "|experimental data|simulation model|theoretical analysis|statistical model|mathematical model|time step|data analysis|case study".split(
        "|"
    )
)

# Verbs (base forms) for actions of authors, without those that titles use as nouns.
VERBS = frozenset(
    """
    achieve adapt add address adopt advocate aggregate align allow analyse analyze anchor annotate
    apply argue arrange ask assemble assess attempt augment automate bridge bring build carry
    catalogue categorise categorize challenge characterise characterize chart classify collate
    collect combine compare compile complement conclude conduct confirm conjecture connect consider
    construct contribute convert craft create curate decompose define demonstrate derive describe
    detail detect develop devise discover discuss distil distill draw embed employ enable encode
    encourage enhance establish estimate evaluate examine explain exploit explore extend extract
    find fine-tune finetune focus formalise formalize formulate generalise generalize generate give
    go highlight hypothesise hypothesize identify illustrate implement improve include incorporate
    initiate inspect integrate interrogate introduce investigate jointly judge learn let leverage
    look make match motivate note observe obtain offer open-source optimise optimize organise
    organize outline pair perform pioneer posit pre-train predict present pretrain propose propound
    prove provide publish put quantify re-examine re-rank recast recommend reduce reexamine
    reformulate relate replace represent rerank resolve rethink retrieve reveal revisit scrutinise
    scrutinize seek select set share show simulate study suggest summarise summarize synthesise
    synthesize systematise systematize tackle take transfer transform treat try turn uncover unify
    unveil use utilise utilize validate verify
    """.split()
)
