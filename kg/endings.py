"""Endings of English words: the plural, and where British and American spelling part.

Both are closed lists of what dictionaries give, so that no name is taken for another because
it looks like it: "biases" is a plural and "bias" is none, "vapour" is "vapor" and "contour"
stays.
"""

from __future__ import annotations

import re

__all__ = ["to_american", "to_singular"]

# Endings that are no plural although they end in s.
_SINGULAR = re.compile(r"(?:ss|us|is|as|os|ics|news|series|species|lens|^bayes|^erdős)$")
_SIBILANT = re.compile(r"(?:ss|x|ch|sh|zz)es$")
_IRREGULAR = {
    "appendices": "appendix",
    "automata": "automaton",
    "axes": "axis",
    "bacteria": "bacterium",
    "bases": "basis",
    "children": "child",
    "corpora": "corpus",
    "cortices": "cortex",
    "criteria": "criterion",
    "curricula": "curriculum",
    "equilibria": "equilibrium",
    "extrema": "extremum",
    "feet": "foot",
    "foci": "focus",
    "formulae": "formula",
    "fungi": "fungus",
    "ganglia": "ganglion",
    "genera": "genus",
    "halves": "half",
    "indices": "index",
    "knives": "knife",
    "larvae": "larva",
    "leaves": "leaf",
    "loci": "locus",
    "matrices": "matrix",
    "maxima": "maximum",
    "mice": "mouse",
    "minima": "minimum",
    "mitochondria": "mitochondrion",
    "momenta": "momentum",
    "nuclei": "nucleus",
    "optima": "optimum",
    "phenomena": "phenomenon",
    "polyhedra": "polyhedron",
    "quanta": "quantum",
    "quizzes": "quiz",
    "radii": "radius",
    "schemata": "schema",
    "simplices": "simplex",
    "spectra": "spectrum",
    "stimuli": "stimulus",
    "strata": "stratum",
    "taxa": "taxon",
    "teeth": "tooth",
    "tori": "torus",
    "vertebrae": "vertebra",
    "vertices": "vertex",
    "vortices": "vortex",
    "wolves": "wolf",
    "women": "woman",
}
# Words whose plural has an ending that is not one elsewhere: "cameras" beside "atlas", "photos" beside "chaos".
_REGULAR = frozenset(
    "agenda algebra alpaca alpha antenna area arena beta camera carcinoma copula critic delta dilemma drama enigma"
    " formula gamma gorilla idea lambda lemma melanoma panorama persona plasma quota replica retina schema sigma theta"
    " trauma umbrella zebra audio avocado cameo casino demo domino hippo logo macro memo micro photo portfolio radio"
    " ratio repo robo scenario stereo studio trio video zero zoo api"
    " cache niche avalanche calorie cookie movie selfie zombie menu"
    " characteristic clinic epidemic fabric geodesic harmonic heuristic logic metric mosaic quasimetric rubric tactic"
    " topic ultrametric".split()
)
_IN_ES = (
    "alias atlas bias bonus bus campus canvas census consensus corpus focus gas genius lens status virus"
    " echo hero potato tomato veto volcano"
)
_IN_IS = "analys catalys cris diagnos emphas hypothes metastas parenthes prognos prosthes synthes thes"
_PLURALS = (
    {f"{word}s": word for word in _REGULAR}
    | {f"{word}es": word for word in _IN_ES.split()}
    | {f"{stem}es": f"{stem}is" for stem in _IN_IS.split()}
    | _IRREGULAR
)
# British endings and the American ones. The letters before "ise" tell "optimise" from "noise".
_AMERICAN = (
    (re.compile(r"is(?=ations?$)"), "iz"),
    (
        re.compile(
            r"((?:[aeo][lnr]|[eu]s|[io]n|am|at|et|gn|ic|il|im|it|iv|nt|mort|om|rd|tr))is"
            r"(?=(?:e[drs]?|ers|ing|able|ability)$)"
        ),
        r"\1iz",
    ),
    (re.compile(r"(anal|catal|dial|electrol|hydrol|paral)ys(?=e[dr]?$|ers$|ing$)"), r"\1yz"),
    (re.compile(r"(cancel|channel|label|level|model|signal|travel|tunnel)l(?=ed$|er$|ing$)"), r"\1"),
    (
        re.compile(
            r"(arm|behavi|cand|clam|col|endeav|fav|flav|harb|hon|hum|lab|neighb|\bod|rig|rum|sav|tum|vap|vig)our"
        ),
        r"\1or",
    ),
    (re.compile(r"((?:\b|epi|data)cent|\bfib|\blit|(?:\b|centi|kilo|micro|milli|nano)met|theat)re$"), r"\1er"),
    (re.compile(r"\bcentred$"), "centered"),
    (re.compile(r"\b(anal|catal|dial|monol)ogue$"), r"\1og"),
    (re.compile(r"\b(defen|offen|preten|licen)ce$"), r"\1se"),
    (re.compile(r"\bartefact"), "artifact"),
    (re.compile(r"\bgrey(?=$|scale)"), "gray"),
    (re.compile(r"dgement$"), "dgment"),
    (re.compile(r"\bageing$"), "aging"),
    (re.compile(r"\b(un)?learnt$"), r"\1learned"),
    (re.compile(r"\bsulph"), "sulf"),
    (re.compile(r"\baluminium$"), "aluminum"),
    # Of the Greek and Latin words of medicine: "anaemia", "oedema", "foetal", "paediatric".
    (re.compile(r"(?<!d)aem(?=i[ac]|o|at)"), "em"),
    (re.compile(r"\b(orthop|p)aed"), r"\1ed"),
    (re.compile(r"\b(an|gyn)ae(?=c|sth)"), r"\1e"),
    (re.compile(r"\b(diarrh|f)oe(?=[at])"), r"\1e"),
    (re.compile(r"\boe(?=d|s[ot])"), "e"),
)
# What a word of another spelling has in it.
_BRITISH = re.compile(r"is|ys|ll|our|re|ogue|ence|ef|gre|dge|age|lear|ph|min|ae|oe")


def to_singular(word: str) -> str:
    """Return a word in lower case and without the ending of the plural; words in capitals keep a final s.

    Examples
    --------
    >>> [to_singular(word) for word in ("Policies", "GPUs", "SARS", "spectra", "videos", "bias")]
    ['policy', 'gpu', 'sars', 'spectrum', 'video', 'bias']
    """
    if len(word) > 1 and word.isupper():
        return word.casefold()
    lower = word.casefold()
    if len(word) > 2 and word[-1] == "s" and word[-2].isupper():
        return lower[:-1]
    if lower in _PLURALS:
        return _PLURALS[lower]
    shortest = 3 if word[:-1].isupper() else 4
    if len(lower) < shortest or not lower.endswith("s") or _SINGULAR.search(lower):
        return lower
    if lower.endswith("ies") and len(lower) > 4:
        return lower[:-3] + "y"
    return lower[:-2] if _SIBILANT.search(lower) else lower[:-1]


def to_american(word: str) -> str:
    """Return a word in lower case with the American spelling.

    Examples
    --------
    >>> [to_american(word) for word in ("optimise", "noise", "tumour", "contour", "fibre", "defence")]
    ['optimize', 'noise', 'tumor', 'contour', 'fiber', 'defense']
    """
    if not _BRITISH.search(word):
        return word
    for pattern, other in _AMERICAN:
        word = pattern.sub(other, word)
    return word
