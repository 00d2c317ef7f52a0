"""The kind of publication that a venue's name indicates."""

from __future__ import annotations

import re
from typing import Literal

_CONFERENCES = frozenset(
    """
    acl emnlp naacl eacl aacl coling conll semeval wmt lrec ijcnlp neurips nips icml iclr aaai iaai ijcai ecai uai
    aistats colt alt kdd sigir www cikm wsdm ecir recsys jcdl trec clef icdm sdm pakdd pkdd ecml cvpr iccv eccv
    wacv bmvc accv miccai isbi icra iros rss corl interspeech icassp slt asru chi uist cscw iui assets icse fse
    esec ase issta msr icpc pldi popl oopsla icfp ecoop esop cav tacas sosp osdi nsdi eurosys atc fast sigcomm
    infocom imc mobicom sensys mobisys usenix ccs ndss eurocrypt crypto asiacrypt stoc focs soda icalp icde sigmod
    edbt cidr pods isca micro asplos hpca dac date iccad siggraph ismir acmmm gecco ppsn ewrl l4dc midl chil
    """.split()
)
_JOURNALS = frozenset(
    "tacl jmlr tmlr jair tpami tkde tois tnnls pnas pvldb pami ijcv cl pacmpl imwut jacm cacm".split()
)
_JOURNAL = re.compile(
    r"\b(?:journals?|transactions|letters|annals|reviews?|magazine|bulletin|quarterly|archives?|nature|science|cell|plos|"
    r"frontiers in|communications of|proceedings of the (?:national academy|ieee|royal society|vldb endowment|acm on)|"
    r"trans\.|lett\.|rev\.|j\.|zeitschrift|revue|physica|acta|ieee access)(?=\W|$)",
    re.I,
)
_CONFERENCE = re.compile(
    r"\b(?:proceedings|proc\.|conference|conf\.|workshops?|symposium|symp\.|meeting of|findings of|congress|tagung)(?=\W|$)",
    re.I,
)
_PREPRINT = re.compile(r"^\W*(?:arxiv|corr|biorxiv|medrxiv|ssrn|preprint|openreview)\b", re.I)

Kind = Literal["preprint", "article", "inproceedings"]


def kind_of_venue(venue: str, said: Kind) -> Kind:
    """The kind by the venue's name, else `said`. `acl 2022` is always a conference; arXiv is not a venue."""
    if not venue.strip() or _PREPRINT.search(venue):
        return "preprint"
    words = re.findall(r"[a-z0-9]+", venue.lower())
    if (words[:1] and words[0] in _JOURNALS) or _JOURNAL.search(venue):
        return "article"
    short = len(words) <= 4 and any(word in _CONFERENCES for word in words)
    return "inproceedings" if short or _CONFERENCE.search(venue) else said
