"""What stands for what where a source is retold: words of no field, that mean the same or say less."""

from __future__ import annotations

import re

PLAIN = r"""
in order to -> to
via|by way of -> through
by leveraging|by using|by utilizing|by employing|by exploiting|by harnessing|by making use of -> by means of
leveraging|utilizing|employing|exploiting|harnessing -> using
such as -> like
(?<!originally )(?<!first )due to -> because of
an? (?:wide|broad|large) (?:range|variety|set) of|a variety of|an? (?:large |vast )number of|numerous -> many
a number of|multiple|various -> several
in the context of -> in
with respect to -> with regard to
in which -> where
consisting of|comprising|composed of -> made up of
(?:specifically )?designed for|tailored (?:for|to) -> made for
(?:specifically )?designed to -> meant to
the (?:problems?|task|challenges?|topic|issue) of (?=[a-z-]+ ) ->
[Ll]arge [Ll]anguage [Mm]odels \(LLMs?\) -> large language models
[Rr]etrieval-[Aa]ugmented [Gg]eneration \(RAG\) -> retrieval-augmented generation
(?:previous|prior)(?= (?:works?|research|stud(?:y|ies)|methods?|approaches|models?|systems?|efforts?|literature|results?|techniques|algorithms)\b) -> earlier
frequently -> often
typically -> usually
capabilities -> abilities
(?:that|which) (?:is|are) able to -> that can
(?:that|which) (?:is|are) (?=[a-z]+ed (?:on|by|for|to|with|from)\b) ->
capable of (?=[a-z]+ing\b) -> for
by itself -> on its own
by themselves -> on their own
and to (?=[a-z]+ ) -> as well as to
"""
OTHER = r"""
using -> with
[Ll]arge [Ll]anguage [Mm]odels -> LLMs
[Cc]onvolutional [Nn]eural [Nn]etworks -> CNNs
[Gg]raph [Nn]eural [Nn]etworks -> GNNs
[Nn]atural [Ll]anguage [Pp]rocessing -> NLP
across -> over
as well as -> and
because of -> due to
(?<=[a-z] )(?:approaches|techniques) -> methods
large-scale -> large
enabling -> allowing
containing -> with
incorporates -> includes
incorporating -> including
utilizes|leverages|employs|exploits -> uses
enables -> allows
scenarios -> settings
towards -> to
entire -> whole
dubbed|termed -> called
named -> called
called -> named
whether -> if
enhanced -> improved
based on -> relying on
an approach (?=for|that|based) -> a method
a method (?=for|that|based) -> an approach
a technique -> a method
limitations -> limits
challenges -> difficulties
between (?=[a-z-]+s and [a-z-]+s ) -> among
a set of -> several
(?<=[a-z] )from (?=an? (?:[A-Za-z-]+ )?(?:index|corpus|collection|store|database|library|pool)) -> out of
"""
LESS = r"""
(?<!not )(?<!more )(?<!as )(?<!less )(?:efficiently|effectively|seamlessly|successfully|accurately|adaptively|explicitly|automatically) (?=[a-z]+) ->
(?<=\ba )(?:comprehensive|extensive|general(?!.purpose)|generic|unified|robust|simple|practical|powerful|scalable|flexible|lightweight|versatile|principled|holistic|rigorous|systematic|new|large-scale|thorough|detailed) (?=[a-z]) ->
(?<=\ban )(?:efficient|effective|extensive|advanced|innovative|intuitive|accurate|adaptive|elegant|optimized|in-depth|empirical|improved|enhanced|end-to-end) (?=[a-z]) ->
"""
FURTHER = r"""
(?<=\b[Aa] )given (?=[a-z]) ->
(?<=\b[Tt]he )(?:given|corresponding|respective|underlying|associated|resulting) (?=[a-z]) ->
(?<=\btheir )(?:corresponding|respective|underlying|associated) (?=[a-z]) ->
both (?=[\w-]+ (?:[\w-]+ )?and [a-z]) ->
(?:significantly|substantially|considerably|greatly|dramatically|drastically|notably|simply|readily|easily|naturally|inherently) (?=[a-z]+) ->
(?<=[a-z] )(?:also|further|thus|thereby|hence) (?=[a-z]+) ->
(?:previous|prior) (?=[a-z-]+s\b) -> earlier
(?<!not )existing (?=[a-z-]+ [a-z]|[a-z]+s\b) -> earlier
subsequent -> later
additional -> further
different -> differing
(?<=\ba )specific (?=[a-z]) -> particular
(?<=\bthe )specific (?=[a-z]) -> particular
(?<=\ba )particular (?=[a-z]) -> specific
each (?=(?!other\b|of\b)[a-z]) -> every
only (?=an?\b|the\b|one\b|two\b|few\b|[a-z]+s\b) -> just
a small number of|a handful of -> a few
more than (?=\d|one\b|two\b|three\b) -> over
without (?:requiring|needing|the need (?:for|of)) -> with no need for
without (?=any |an? |[a-z]+ (?:data|labels|supervision|training|models?)\b) -> with no
such that -> so that
so that -> such that
rather than -> instead of
instead of -> rather than
similar to -> akin to
compared (?:to|with) -> in comparison with
in parallel -> at the same time
often -> frequently
aims to -> seeks to
aim to -> seek to
(?:is|are) able to -> can
make use of -> use
makes use of -> uses
making use of -> using
the effects? of -> the influence of
the impact of -> the effect of
the influence of -> the effect of
(?:challenging|difficult) (?=[a-z]+s?\b) -> hard
crucial|essential -> vital
(?:massive|huge|enormous) (?=[a-z]) -> very large
rapid (?=[a-z]) -> fast
rapidly -> quickly
high-quality -> good
concept of (?=[a-z]) -> idea of
notion of (?=[a-z]) -> idea of
investigation into -> study of
family of (?=[a-z-]+ [a-z-]*s\b) -> group of
(?<=[a-z] )issues (?=of\b|in\b) -> problems
(?<=[a-z] )problems (?=of\b|in\b) -> issues
instances of -> cases of
(?<=[a-z] )mechanism (?=for\b|of\b|that\b) -> means
further (?=[a-z]+ the\b) ->
during -> in the course of
throughout -> all through
through (?=[a-z]+ing\b) -> by
by (?=[a-z]+ing (?:an?|the|[a-z-]+) ) -> through
generates -> produces
enhances -> improves
achieves (?=an?\b|the\b|high|low|good|better|higher|lower|[a-z]+ic\b) -> reaches
alleviates|mitigates -> lessens
preserves -> keeps
eliminates -> removes
constructs -> builds
selects -> chooses
requires (?=an?\b|the\b|no\b|only\b|more\b|less\b|[a-z]+ing\b) -> needs
identifies -> finds
enhancing -> improving
generating -> producing
constructing -> building
eliminating -> removing
reducing -> lowering
preserving|maintaining -> keeping
achieving -> reaching
identifying -> finding
selecting -> choosing
requiring -> needing
alleviating|mitigating -> lessening
"""


VERB_PAIRS = """select:choose;choose:select;generate:produce;reduce:lower;enhance:improve;require:need;construct:build;
mitigate:lessen;alleviate:lessen;tackle:deal with;address:deal with;handle:deal with;assess:evaluate;evaluate:assess;
investigate:study;explore:study;examine:study;accelerate:speed up;preserve:keep;maintain:keep;discover:find;utilize:use;
leverage:use;employ:use;exploit:use;obtain:get;facilitate:ease;increase:raise;demonstrate:show;perform:carry out;create:make;
analyze:examine;study:examine;ensure:guarantee;overcome:deal with;develop:build;provide:give;incorporate:include;
boost:improve;produce:generate;improve:enhance;build:construct;solve:deal with;identify:find;eliminate:remove;remove:drop;
acquire:gain;gather:collect;collect:gather;merge:fuse;fuse:merge;adjust:adapt;detect:spot""".replace("\n", "")


TAKES_TO = re.compile(
    r"\b(?:allow\w*|enabl\w+|let|lets|help\w*|forc\w+|encourag\w+|caus\w+|requir\w+|ask\w*|train(?:s|ed|ing)?|prompt(?:s|ed|ing)?|guid\w+|teach\w*|lead\w*|map\w*|appl\w+|able|ability|abilities|way|ways"
    r"|how|order|attempt\w*|tend\w*|aim\w*|try|tries|need\w*|learn\w*|us(?:e|es|ed)|designed|due|need|opportunit\w+|potential|capacity|fail\w*|seek\w*|propose|proposes|introduce|want\w*|extend\w*|adapt\w*|convert\w*|translat\w+|transform\w*|from|difficult|easy|hard|possible|likely|access|respon\w+|approach|robust\w*|resistan\w+|according|similar|relat\w+|compar\w+|addition|contrast)\b"
)
