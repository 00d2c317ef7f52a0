"""The form of arXiv's ids (https://info.arxiv.org/help/arxiv_identifier.html), for regular expressions that ignore case."""

ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|"
    "dg-ga|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|"
    "physics|plasm-ph|q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_MONTH = r"\d{2}(?:0[1-9]|1[0-2])"
# Without a version: `2104.12255`, `hep-th/9901001`, `math.GT/0309136`.
ARXIV_ID = rf"(?:{_MONTH}\.\d{{4,5}}|(?:{ARCHIVES})(?:\.[A-Za-z]{{2}})?/{_MONTH}\d{{3}})"
