"""The values that pass between the steps of the pipeline:

    Query -> [Candidate] -> longlist -> [Passage] -> [Evidence] -> shortlist -> Section

All are frozen; steps return new values. Vectors are float32, one row for each text, L2-normalised, so that an
inner product is a cosine."""

from .discovery import *
from .papers import *
from .queries import *
from .results import *
