"""What is written with capitals, years and brackets like a citation, and is none: places, institutions, treaties,
tokens, intervals.

Known words are told from people by a list, since a surname may be any word; the surnames of the papers at hand
always win. Everything else is told by its form and blanked before names are looked for."""

from __future__ import annotations

import re

_PLACES = """
africa america antarctica arctic asia australia europe oceania atlantic pacific mediterranean scandinavia balkans
caribbean afghanistan albania algeria angola argentina armenia austria azerbaijan bahrain bangladesh belarus belgium
benin bhutan bolivia bosnia botswana brazil bulgaria burkina burundi cambodia cameroon canada chile china colombia
congo croatia cuba cyprus czechia czechoslovakia denmark ecuador egypt england eritrea estonia eswatini ethiopia
fiji finland france gabon gambia germany ghana greece greenland guatemala guinea guyana haiti herzegovina honduras
hungary iceland india indonesia iran iraq ireland israel italy jamaica japan kazakhstan kenya kosovo kuwait laos
latvia lebanon lesotho liberia libya liechtenstein lithuania luxembourg macedonia madagascar malawi malaysia
maldives mali malta mauritania mauritius mexico moldova mongolia montenegro morocco mozambique myanmar namibia nepal
netherlands zealand nicaragua niger nigeria norway oman pakistan palestine panama paraguay peru philippines poland
portugal qatar romania russia rwanda samoa saudi arabia scotland senegal serbia singapore slovakia slovenia somalia
korea spain lanka sudan sweden switzerland syria taiwan tajikistan tanzania thailand togo tunisia turkey
turkmenistan uganda ukraine emirates uruguay usa uzbekistan venezuela vietnam wales yemen yugoslavia zambia zimbabwe
alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho illinois indiana iowa
kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska
nevada hampshire jersey york dakota ohio oklahoma oregon pennsylvania rhode tennessee texas utah vermont virginia
washington wisconsin wyoming ontario quebec alberta bavaria catalonia saxony
amsterdam ankara athens atlanta baghdad baltimore bangalore bangkok barcelona beijing beirut belgrade berlin bogota
bombay boston brussels bucharest budapest cairo calcutta cambridge chicago cologne copenhagen dallas delhi denver
detroit dhaka dubai dublin edinburgh florence frankfurt geneva glasgow guangzhou hague hamburg hanoi helsinki
hiroshima hollywood hong kong houston hyderabad istanbul jakarta jerusalem johannesburg kabul karachi kiev kyiv
kyoto lagos lahore lima lisbon london los angeles lyon madrid manchester manila marseille mecca melbourne miami milan
montreal moscow mumbai munich nairobi nanjing naples osaka oslo ottawa oxford paris philadelphia phoenix pittsburgh
porto prague princeton rio riyadh rome rotterdam san santiago francisco diego seattle seoul shanghai shenzhen sofia
stanford stockholm stuttgart sydney taipei tehran tokyo toronto tripoli tunis turin valencia vancouver venice vienna
warsaw wuhan zurich harvard yale berkeley
"""
_LANGUAGES = """
afrikaans albanian amharic arabic aramaic armenian asian african american australian austrian aztec basque bavarian
belgian bengali bosnian brazilian breton british bulgarian burmese canadian cantonese catalan chinese croatian czech
danish dutch egyptian english esperanto estonian european finnish flemish french galician georgian german greek
gujarati hausa hebrew hindi hungarian icelandic igbo indian indonesian iranian iraqi irish israeli italian japanese
javanese kannada kazakh khmer kinyarwanda korean kurdish lao latin latvian lithuanian macedonian malay malayalam
maltese mandarin maori marathi mexican mongolian nepali nigerian norwegian odia pakistani pashto persian polish
portuguese punjabi quechua romanian russian sanskrit scottish serbian sinhala slovak slovenian somali spanish swahili
swedish swiss tagalog taiwanese tamil tatar telugu thai tibetan tigrinya turkish turkic ukrainian urdu uyghur uzbek
vietnamese welsh xhosa yiddish yoruba zulu germanic romance slavic semitic bantu dravidian nordic
christian muslim jewish buddhist hindu islam
"""
_MAKERS = """
adobe airbnb alibaba alphabet amazon apple baidu bloomberg boeing bosch cisco deepmind ebay ericsson facebook github
gitlab google huawei ibm instagram intel linkedin linux mastodon meta microsoft mozilla netflix nokia nvidia openai
oracle pinterest reddit reuters samsung siemens sony spotify telegram tencent tesla tiktok toyota twitter uber unesco unicef
ubuntu volkswagen walmart wechat weibo whatsapp wikidata wikimedia wikipedia wiktionary yahoo yandex yelp youtube
anthropic android debian fedora windows macos nasa nato
"""
_INSTITUTIONS = """
academy accords act administration agency agreement airport alliance amendment archive army assembly association authority award
bank basin board bureau cabinet cathedral census center centre charter church coalition college commission committee
commonwealth company conference congress constitution convention corporation council county court crisis cup
declaration department depression directive district earthquake east empire epidemic exhibition faculty federation
festival fleet food foundation games government guild hospital hurricane initiative institute institution island
journal jubilee kingdom laboratory lake league library mechanical medal memorial ministry mission mountain movement
museum nations navy news north observatory ocean office olympics organisation organization pandemic parliament party
police post press prize process program programme project protocol province reformation regulation renaissance report
republic revolution river road school sea senate service society south square states station statute street summit
supreme survey temple theatre times tournament treaty tribunal trust turk union united university valley village war
week west winter summer spring autumn world yearbook
"""
WELL_KNOWN = frozenset(f"{_PLACES} {_LANGUAGES} {_MAKERS} {_INSTITUTIONS}".split())
EPONYMS = frozenset(  # whose names things bear: "Euler's method" is a term; "Euler shows" is not
    "abel ackermann archimedes banach bayes bellman benford bernoulli bessel bode boltzmann boole borel brown cantor "
    "cauchy cayley chebyshev cohen cramer darwin descartes dijkstra dirichlet euclid euler fermat fibonacci fisher "
    "fleiss fourier frechet galois gauss godel goodhart green hamming hermite hilbert horner hoeffding hooke huffman "
    "jacobi jensen kepler kendall kolmogorov kruskal kuhn lagrange laplace lebesgue legendre leibniz lipschitz "
    "lyapunov markov maxwell mendel moore nash newton occam ockham pareto pascal pearson planck poisson pythagoras "
    "ramsey riemann runge russell shannon simpson spearman stirling stokes student taylor tukey turing venn wald "
    "welch wilcoxon wiener wilson zeno zipf".split()
)
_CAP = r"[A-Z][\w’'-]+"
_THING = re.compile(  # "the Treaty of Rome (1957)", "The Supreme Court"
    rf"\b[Tt]he (?!{_CAP} et al)(?:{_CAP} )+(?:(?:of|for|on) (?:the )?(?:{_CAP} )*)?{_CAP}(?: \((?:1[89]|20)\d\d\))?"
    rf"|\b[Tt]he {_CAP} (?:of|for|on) (?:the )?{_CAP}(?: \((?:1[89]|20)\d\d\))?"
)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_PERIOD = re.compile(
    rf"\((?:\d\d? )?(?:{_MONTHS}) (?:1[89]|20)\d\d\)" r"|\((?:c\. ?)?1?\d{3}\s?[–-]\s?(?:1[0-9]|20)?\d\d\)"
)
_INTERVAL = re.compile(
    r"(?<=[ (])(?P<before>(?:interval|range|lies?|lying|values?|scaled|rescaled|clipped|mapped|normali[sz]ed|bounded"
    r"|scores?|ratings?|uniform(?:ly)?|weights?|between|probabilit(?:y|ies)|list|array|vector|sequence|tuple"
    r"|permutation)\b[^.;\[\]]{0,16}?)\[-?\d+(?:\.\d+)?(?:, -?\d+(?:\.\d+)?){1,9}\]",
    re.IGNORECASE,
)
_OPEN_INTERVAL = re.compile(  # (0, 1], and (1, 512) where it is said to be one
    r"(?<=[ (])(?P<before>(?:interval|range|lies?|lying)\b[^.;()\[\]]{0,16}?)[\[(]-?\d+(?:\.\d+)?, -?\d+(?:\.\d+)?[\])]",
    re.IGNORECASE,
)
_FROM_NOTHING = re.compile(r"[\[(]0, ?\d+(?:\.\d+)?[\])]")
_TOKEN = re.compile(r"\[(?!REFS?\]|CITE\]|CITATIONS?\]|SOURCES?\]|AUTHORS?\]|NAMES?\]|[XYN]+\])[A-Z]{2,12}\]")
_OF_TOKENS = re.compile(r"\b(?:token|tag|symbol|marker|label|placeholder|delimiter)s?\b", re.IGNORECASE)
_TOKENS = re.compile(r"\[(?:CLS|SEP|MASK|PAD|UNK|BOS|EOS|NULL|NONE)\]")


def without_things(text: str, surnames: frozenset[str]) -> str:
    """`text` with what is no citation for its form in place of it; what holds a surname of the papers at hand
    stays as it is."""

    def blank(match: re.Match[str]) -> str:
        words = re.findall(r"[^\W_]+", match[0].casefold())
        return match[0] if surnames.intersection(words) else "the thing"

    text = _THING.sub(blank, _PERIOD.sub("(then)", text))
    text = _FROM_NOTHING.sub("so", _TOKENS.sub("so", text))
    for interval in (_INTERVAL, _OPEN_INTERVAL):
        text = interval.sub(lambda m: f"{m['before']}so", text)
    return _TOKEN.sub("so", text) if _OF_TOKENS.search(text) else text
