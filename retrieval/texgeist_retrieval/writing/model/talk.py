"""Detects in a section the model's remarks about itself or its task, and lines of its instructions.

Such remarks are recognised by phrases that refer to the task ("this request", "as instructed", "the supplied
passages"), by addressing a reader ("you"), and by speech acts that do not occur in a section: greetings,
thanks, refusals, orders. Single words such as "prompt", "user" and "assistant" are allowed, because papers on
language models use them as well."""

from __future__ import annotations

import re
from functools import lru_cache

from . import prompts, section_prompts
from .plain import forms_of, visible

_MODEL = r"an? (?:ai|artificial intelligence|(?:large )?language model|assistant|llm|chatbot)"
_SELF = re.compile(
    rf"^(?:as|being) {_MODEL}\b(?! (?:\w+ly )?(?!always\b)[a-z]+s\b)|\bas {_MODEL}, (?:i|this|it)\b|\bi(?:[’']m| am) (?:just |only )?{_MODEL}\b"
    r"|(?<!type )(?<!phase )(?<!part )(?<!stage )(?<!class )(?<!level )(?<!war )(?<!grade )(?<!group )"
    r"\b(?-i:I)(?:[’'](?:m|ll|ve|d)| (?:won|wouldn|can|don|couldn)[’']t| am| can| cannot| could| do not| have| will| would"
    r"| was (?:asked|told|given|trained|instructed)| must (?:decline|refuse)| apologi[sz]e| hope| understand"
    r"| need more| understood| received| follow(?:ed)?)\b"
    r"|(?:^|[,;:.] |\b(?:that|and|but|so|as) )(?-i:I) (?!and\b|in\b|of\b|or\b)[a-z]+"
    r"|^unable to (?:comply|assist|help|answer|write|continue|proceed|fulfill?|complete)\b|\bapologies,"
    r"|\b(?:fulfil|fulfill|complete|answer) (?:this|your) request\b|\b(?:sorry|apologies)\b,? (?:but|i|for)\b"
    r"|\b(?:cannot|can[’']t|won[’']t) (?:assist|comply|help) with (?:this|that|your)\b"
    r"|\bmy (?:instructions?|training|guidelines?|knowledge|programming|system|rules|previous|answer)\b",
    re.IGNORECASE,
)
_LEAK = re.compile(
    r"^(?:sure|certainly|of course|absolutely|okay|ok|great|understood)[!.,:]"
    r"|^here(?:[’']s| is| are)\b|^end of (?:the )?(?:section|answer|text|response)\b"
    r"|^(?:below|following) is (?:the|an?)\b"
    r"|\b(?:ignor|disregard|forget)\w* (?:all |any |the |my |your )*"
    r"(?:previous|prior|above|earlier|preceding) (?:instructions?|rules|text|prompts?|messages?)\b"
    r"|^(?:system|assistant|user|human|note|answer|response|output|instructions?)\s?:|\[/?INST\]|\bim_(?:start|end)\b"
    r"|(?<!-)\b(?:you|your|please(?! (?:refer|see)))\b(?!-)|^the user (?:asks|asked|wants|has asked|requested)\b"
    r"|\b(?:the|these) (?:passages?|evidence|excerpts?) (?:that (?:were|was|are|is) )?(?:provided|supplied)\b"
    r"|\b(?:based on|according to|in) (?:the|these) (?:provided|supplied|given) (?:passages?|evidence|excerpts?|sources?)\b"
    r"|^(?:the|these) (?:provided|supplied) (?:passages?|evidence|excerpts?|sources?|papers?|texts?|abstracts?)\b"
    r"|^(?:the|these|none of the) (?:given )?(?:passages?|evidence|excerpts?) (?:do(?:es)? not |don[’']t |lacks? |never )?"
    r"(?:mention|specify|describe|discuss|state)s?\b"
    r"|^(?:the|these|no) (?:given |provided )?(?:passages?|evidence|papers?) (?:is|are|was|were|does|do)"
    r" (?:not |in)?(?:sufficient|provided|given|supplied|answer)\b"
    r"|\blet me know\b|\bhope this helps\b|\bfeel free to\b|^rules for the text\b"
    r"|[\"“”']?\b(?:textual|evidence|paragraphs|sentences|unused)[\"“”']?\s?:\s?(?:\[|true|false|[\"“])"
    r"|^(?:the|these|your) (?:instructions|rules|guidelines) (?:say|forbid|require|ask|state|above)\b"
    r"|^this (?:response|answer|text|section|paragraph) (?:was|is) (?:generated|written|produced) by\b"
    r"|\b(?:model|assistant|system|AI) (?:was|is|has been) (?:instructed|asked|told|prompted) to (?:write|produce|answer"
    r"|return|give|output|use) (?:only |just |in )*(?:plain text|json|prose)\b"
    r"|\blorem ipsum\b|\bTODO\b|\[(?:your|insert|add)\b|\bmodèle de langage, je\b|\bki-?sprachmodell\b"
    r"|\bmodelo de lenguaje,? no\b",
    re.IGNORECASE,
)
_PROMPT_RUN = 7  # consecutive words of the instructions that a sentence must not contain
_SHORTEST_LINE = 5  # least number of words of a shorter sentence that must not be copied as a whole


_MATERIAL = r"(?:passages?|evidence|excerpts?|sources?|material|context|information|papers?|texts?|abstracts?|documents?|input)"
_TASK = r"(?:task|request|instructions?|prompts?|questions?|guidelines|section|paragraph|answer|response|output|text|draft|sentence|review)"
_ASKED = r"(?:request|instructions?|prompts?|response|answer|output)"  # without "task", "question", "section", which occur in papers
_WRITING = r"(?:writ(?:e|ing|ten)|produc(?:e|ing|ed)|provid(?:e|ing|ed)|generat(?:e|ing|ed)|complet(?:e|ing|ed)|draft(?:ing|ed)?|creat(?:e|ing|ed)|finish(?:ing|ed)?)"
_OF_THE_TASK = re.compile(
    rf"\b(?:as|per|in keeping with|in line with|following|according to|consistent with|against|under) (?:(?:per|the|these|those|its|given|my|all) )*"
    r"(?:instructions?(?! tuning| following| set)|system (?:prompt|message)|prompt|guidelines (?:I|that I|followed)|request|schema)(?:$|[.,;:]| (?:given|above|received|i\b|no|the))"
    r"|\bas (?:instructed|requested|told|prompted|directed|per (?:your|the) )\b(?: (?:above|by the user))?(?=[.,;]|$| )"
    rf"|\b(?:{_WRITING}) (?:this|the (?:requested|present)|such a|the) (?:requested |related[- ]work )?(?:section|paragraph|response|answer|review)\b(?! of (?:a|an|the|their|scientific|research)\b)"
    rf"|\b(?:this|the (?:present|requested|following|next|above|supplied|preceding)) {_TASK} (?:cannot|could not|can(?:not)? be|covers?|discuss(?:es)?|summari[sz]es?|about|below|above)\b"
    rf"|\b(?:this|the (?:present|requested|following|next|above|supplied|preceding)) {_ASKED} (?:is|was|are|were|has been)\b"
    rf"|\b(?:this|the (?:present|following|next|above|preceding)) (?:section|paragraph|sentence|review) (?:is|was|has been) (?:about|{_WRITING})\b"
    rf"|\b(?:this|the) task (?:is|was) (?:now |only )?to (?:{_WRITING}|cite|summari[sz]e) (?:\w+ ){{0,3}}(?:section|paragraphs?|sentences?|review)\b"
    rf"|\bthe (?:requested|supplied) {_TASK} (?:is|was|are|were|has been)\b"
    r"|\bthe (?:task|request|question|instructions?) (?:cannot|can not|asks?|asked|say|says|requires? (?:the|a) (?:section|answer|json))\b"
    r"|\bthe (?:prompt|system (?:message|prompt)) (?:says?|asks?|tells?|told|asked|requires?|wants?|demands?)\b"
    rf"|\b(?:the|these|those|this|no) (?:given |provided |supplied |retrieved )?{_MATERIAL} (?:(?:does|do|did) (?:not|n[’']t)|cannot|fails? to|is|are|lacks?|says?)"
    r" (?:not |in|too )?(?:suffice|sufficient|enough|contain enough|provide enough|include enough|contain the information|enough information|nothing|thin|allow|support writing|permit)\b"
    rf"|\b(?:insufficient|not enough|too little|no) (?:information|material|evidence|context) (?:is |was |in the |in these |was found |to (?:write|answer|go on|complete|say))(?:given|provided|supplied|passages|excerpts|context|evidence|for|this|the|write)?"
    r"|^(?:in|with) this (?:response|answer|reply|output|task)\b"
    rf"|\bfrom the (?:passages|evidence|excerpts) (?:supplied|provided|given)\b|^the (?:supplied|provided) {_MATERIAL}\b"
    rf"|\bnot possible (?:for (?:me|us|this|the) (?:\w+ )?)?to (?:{_WRITING}|answer|comply|continue|help|assist)\b"
    r"|\b(?:respectfully|must|have to|need to) (?:decline|refuse)\b|\b(?:regret|sorry|afraid) (?:to say |to inform |that )|^regrettably\b|^unfortunately, (?:i|this|the (?:task|request|material|passages|evidence))\b"
    r"|\bwhat the (?:assistant|ai|chatbot) (?:may|can|is)\b|\bthe (?:assistant|chatbot|writer|ai) (?:apologi[sz]es|cannot|stops|declines|refuses|must decline)\b"
    r"|^(?:as|being) (?:chatgpt|claude|gemini|copilot|a machine|an? (?:bot|program))\b|^(?:chatgpt|claude|this (?:model|assistant|ai|bot)) (?:cannot|can[’']t|was asked|is unable|was developed by|does not have access)\b"
    r"|\b(?:evidence|passage|source) ids?\b|\bnumbered (?:evidence|passages|list of evidence)\b|\b(?:answer|output|response|reply) must (?:be|follow|use|contain)\b",
    re.IGNORECASE,
)
_SPEECH = re.compile(
    r"^(?:hello|hi|hey|dear|thanks?(?! to\b)|thank you|welcome|greetings|happy to|glad to|sure|alright|got it|noted|no problem|my (?:apologies|pleasure))\b(?![- ])"
    r"|^(?:hello|hi|thank you|happy to|glad to)[ ,]|^let(?:[’']s| us) (?!(?:\w+ )?(?:denote|be|assume|suppose|define)\b)"
    r"|^(?:first|now|next|then|step \d+),? (?:i|the task|we (?:need to|must|should|have to) (?:write|summari[sz]e|cite))\b"
    r"|^(?:final answer|answer|thinking|thought|reasoning|analysis|plan|scratchpad|json|output|note to (?:self|user|editor)|editor[’']?s? note|disclaimer|warning|reminder|word count|draft version|version|revision)\s?[:,]"
    r"|^\(?\d+ words\)?\.?$|^\[?(?:continued|to be continued|end of \w+|truncated|omitted|placeholder)(?: text)?\]?\.?$|^\[(?:end|start|begin)\b"
    r"|<(?:end|start)_of_\w+>|\bas an? (?:ai|llm)\b[.,]",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:insert|add|write|use|return|give|provide|name|keep|avoid|make sure|ensure|remember|include|output|respond|reply|answer|continue|rewrite|summari[sz]e|do not|don[’']t|never|always|cite|complete)"
    r" (?:only |the |a |an |your |any |all |that |to |in |with |three |two |one |copy |write |use |include |mention |exceed |repeat |runs |citations? |citation |exactly |plain |no )+(?!\w+s\b (?:is|are|was|were)\b)[^,]*[.:]?$",
    re.IGNORECASE,
)
_ACT = re.compile(  # actions of authors that look like an order, without words of the model's instructions
    r"^(?:add|write|use|return|give|provide|name|keep|avoid|ensure|include|output|answer|continue|rewrite|summari[sz]e|complete)"
    r" (?:the |an? |any |all |that |to |in |with |three |two |one |no )(?!citations?\b)(?!.*\b(?:only|your|exactly|plain|paragraphs?|sentences?"
    r"|sections?|json|(?:any|all|no|with|in) citations?|citation keys?|ids?|prose|schema|markdown|latex|instructions?|the (?:evidence|passages?|answers?|excerpts?))\b)",
    re.IGNORECASE,
)
_PATTERNS = (_SELF, _LEAK, _OF_THE_TASK, _SPEECH)


def is_of_itself(text: str, of_authors: bool = False) -> bool:
    """Whether the text is a refusal, small talk, or a line of the instructions. With `of_authors`, a citation
    before the text is its subject, so that "use a penalty" is not an order."""
    told = visible(text)
    return (
        any(pattern.search(form) for form in forms_of(text.strip()) for pattern in _PATTERNS)
        or any(
            _ORDER.search(form) for form in forms_of(text.strip()) if not (of_authors and _ACT.match(form))
        )
        or _is_told(told)
    )


def _is_told(text: str) -> bool:
    words, told = re.findall(r"\w+", text.lower()), _instructions()
    run = max(_SHORTEST_LINE, min(_PROMPT_RUN, len(words)))
    return any(f" {' '.join(words[i : i + run])} " in told for i in range(len(words) - run + 1))


@lru_cache(maxsize=1)
def _instructions() -> str:
    all_ = (
        prompts.SUMMARISE,
        prompts.WRITE,
        prompts.ANSWER,
        section_prompts.RULES,
    )
    told = re.sub(r'"([^"]*)"', _unless_example, " ".join(all_))
    told = re.sub(r"\bYou [^.]*\.", " ", told).lower()  # other patterns detect sentences with "you"
    return " ".join(["", *re.findall(r"\w+", told), ""])


def _unless_example(match: re.Match[str]) -> str:
    """The quoted words if there are one or two. Longer quotations are removed from the instructions, because
    they are examples of good sentences."""
    return match[1] if len(match[1].split()) < 3 else " "
