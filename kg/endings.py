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
_IN_S = (
    "agenda algebra alpaca alpha antenna api area arena audio avalanche avocado beta cache calorie cameo"
    " camera carcinoma casino characteristic clinic cookie copula critic delta demo dilemma domino drama"
    " enigma epidemic fabric formula gamma geodesic gorilla harmonic heuristic hippo idea lambda lemma logic"
    " logo macro melanoma memo menu metric micro mosaic movie niche panorama persona photo plasma portfolio"
    " quasimetric quota radio ratio replica repo retina robo rubric scenario schema selfie sigma stereo"
    " studio tactic theta topic trauma trio ultrametric umbrella video zebra zero zombie zoo"
)
_IN_ES = (
    "alias atlas bias bonus bus campus canvas census consensus corpus focus gas genius lens status virus"
    " echo hero potato tomato veto volcano"
)
_IN_IS = "analys catalys cris diagnos emphas hypothes metastas parenthes prognos prosthes synthes thes"
_PLURALS = (
    {f"{word}s": word for word in _IN_S.split()}
    | {f"{word}es": word for word in _IN_ES.split()}
    | {f"{stem}es": f"{stem}is" for stem in _IN_IS.split()}
    | _IRREGULAR
)
# British endings, what a word with one has in it, and the American ones. The letters before "ise" tell
# "optimise" from "noise"; the last five are of the Greek and Latin words of medicine.
_AMERICAN = tuple(
    (part, re.compile(pattern), other)
    for part, pattern, other in (
        ("is", r"is(?=ations?$)", "iz"),
        (
            "is",
            r"((?:[aeo][lnr]|[eu]s|[io]n|am|at|et|gn|ic|il|im|it|iv|nt|mort|om|rd|tr))is"
            r"(?=(?:e[drs]?|ers|ing|able|ability)$)",
            r"\1iz",
        ),
        ("ys", r"(anal|catal|dial|electrol|hydrol|paral)ys(?=e[dr]?$|ers$|ing$)", r"\1yz"),
        ("ll", r"(cancel|channel|label|level|model|signal|travel|tunnel)l(?=ed$|er$|ing$)", r"\1"),
        (
            "our",
            r"(arm|behavi|cand|clam|col|endeav|fav|flav|harb|hon|hum|lab|neighb|\bod|rig|rum|sav|tum|vap|vig)our",
            r"\1or",
        ),
        ("tre", r"((?:\b|epi|data)cent|\blit|(?:\b|centi|kilo|micro|milli|nano)met|theat)re$", r"\1er"),
        ("centred", r"\bcentred$", "centered"),
        ("fibre", r"\bfibre", "fiber"),
        ("ogue", r"(anal|catal|dial|monol)ogue$", r"\1og"),
        ("ence", r"\b(defen|offen|preten|licen)ce$", r"\1se"),
        ("artef", r"\bartefact", "artifact"),
        ("grey", r"\bgrey(?=$|scale)", "gray"),
        ("dgem", r"dgement$", "dgment"),
        ("agei", r"\bageing$", "aging"),
        ("learnt", r"\b(un)?learnt$", r"\1learned"),
        ("sulph", r"\bsulph", "sulf"),
        ("alumini", r"\baluminium$", "aluminum"),
        ("aem", r"(?<!d)aem(?=i[ac]|o|at)", "em"),
        ("paed", r"\b(ortho)?paed", r"\1ped"),
        ("nae", r"\b(an|gyn)ae(?=c|sth)", r"\1e"),
        ("oe", r"\b(diarrh|f)oe(?=[at])", r"\1e"),
        ("oe", r"\boe(?=d|s[ot])", "e"),
    )
)


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
    for part, pattern, other in _AMERICAN:
        if part in word:
            word = pattern.sub(other, word)
    return word
