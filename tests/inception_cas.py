"""Documents as INCEpTION sends them to an external recommender: a type system, and texts in XMI.

The layers are those of DKPro that a project has from the start, and two of its own; the one that is asked about has the
features beside its own that suggestions are written to.
"""

from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
SENTENCE = DKPRO + "segmentation.type.Sentence"
TOKEN = DKPRO + "segmentation.type.Token"
LEMMA = DKPRO + "segmentation.type.Lemma"
POS = DKPRO + "lexmorph.type.pos.POS"
MORPH = DKPRO + "lexmorph.type.morph.MorphologicalFeatures"
NAMED = DKPRO + "ner.type.NamedEntity"
DEPENDENCY = DKPRO + "syntax.type.dependency.Dependency"
PRODUCT = "webanno.custom.Product"
OWNS = "webanno.custom.Owns"
XMI = "http://www.omg.org/XMI"

TEXT, FLAG, REAL = "uima.cas.String", "uima.cas.Boolean", "uima.cas.Double"
ANNOTATION = "uima.tcas.Annotation"


def suggested(feature):
    """The features that INCEpTION adds for suggestions of a feature."""
    return {
        feature + "_score": REAL,
        feature + "_score_explanation": TEXT,
        feature + "_correction": FLAG,
        feature + "_correction_explanation": TEXT,
        feature + "_auto_accept": TEXT,
        "inception_internal_predicted": FLAG,
    }


LAYERS = {
    "uima.tcas.DocumentAnnotation": (ANNOTATION, {"language": TEXT}),
    DKPRO + "metadata.type.DocumentMetaData": (
        "uima.tcas.DocumentAnnotation",
        {"documentTitle": TEXT, "documentId": TEXT, "documentUri": TEXT, "isLastSegment": FLAG},
    ),
    "de.tudarmstadt.ukp.clarin.webanno.api.type.CASMetadata": (
        "uima.cas.AnnotationBase",
        {"username": TEXT, "sourceDocumentId": "uima.cas.Long", "projectId": "uima.cas.Long"},
    ),
    SENTENCE: (ANNOTATION, {"id": TEXT}),
    LEMMA: (ANNOTATION, {"value": TEXT}),
    MORPH: (ANNOTATION, {"value": TEXT, "gender": TEXT, "number": TEXT}),
    POS: (ANNOTATION, {"PosValue": TEXT, "coarseValue": TEXT, **suggested("PosValue")}),
    POS + "_PROPN": (POS, {}),
    TOKEN: (ANNOTATION, {"parent": ANNOTATION, "lemma": LEMMA, "pos": POS, "morph": MORPH, "id": TEXT,
                         "order": "uima.cas.Integer"}),
    NAMED: (ANNOTATION, {"value": TEXT, "identifier": TEXT, **suggested("value")}),
    DKPRO + "syntax.type.chunk.Chunk": (ANNOTATION, {"chunkValue": TEXT}),
    DEPENDENCY: (ANNOTATION, {"Governor": TOKEN, "Dependent": TOKEN, "DependencyType": TEXT, "flavor": TEXT,
                              **suggested("DependencyType")}),
    DKPRO + "syntax.type.dependency.ROOT": (DEPENDENCY, {}),
    PRODUCT: (ANNOTATION, {"name": TEXT, "kinds": "uima.cas.StringArray", "count": "uima.cas.Integer",
                           **suggested("name")}),
    OWNS: (ANNOTATION, {"Governor": PRODUCT, "Dependent": PRODUCT, "how": TEXT, **suggested("how")}),
}


def types():
    """The type system, as UIMA writes it."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>',
           '<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">', "    <types>"]
    for name, (above, features) in LAYERS.items():
        out += ["        <typeDescription>", f"            <name>{name}</name>", "            <description/>",
                f"            <supertypeName>{above}</supertypeName>", "            <features>"]
        for feature, of in features.items():
            out += ["                <featureDescription>", f"                    <name>{feature}</name>",
                    "                    <description/>", f"                    <rangeTypeName>{of}</rangeTypeName>",
                    "                </featureDescription>"]
        out += ["            </features>", "        </typeDescription>"]
    return "\n".join(out + ["    </types>", "</typeSystemDescription>", ""])


def units(text):
    """How many units of UTF-16 a text has."""
    return len(text.encode("utf-16-le")) // 2


class Document:
    """A text with annotations. Places are given as characters of Python."""

    def __init__(self, text):
        self.text = text
        self.elements = []
        self.tokens = []
        self.next = 10

    def add(self, layer, begin, end, **features):
        number = self.next
        self.next += 3
        place = {"sofa": 1, "begin": units(self.text[:begin]), "end": units(self.text[:end])}
        self.elements.append((number, layer, {**place, **features}))
        if layer == TOKEN:
            self.tokens.append((number, begin, end))
        return number

    def add_sentences(self, sentences):
        """Words with white space between them, which must be those of the text."""
        at = 0
        for words in sentences:
            begin = at = self.text.index(words[0], at)
            for word in words:
                at = self.text.index(word, at)
                self.add(TOKEN, at, at + len(word), order=0)
                at += len(word)
            self.add(SENTENCE, begin, at)
        return self

    def add_relation(self, governor, dependent, relation):
        """Both are numbers of tokens from 0."""
        number, begin, end = self.tokens[dependent]
        return self.add(DEPENDENCY, begin, end, Governor=self.tokens[governor][0], Dependent=number,
                        DependencyType=relation)

    def xmi(self):
        spaces = {"xmi": XMI, "cas": "http:///uima/cas.ecore", "tcas": "http:///uima/tcas.ecore"}
        prefixes = {}
        for _, layer, _ in self.elements:
            package = layer.rpartition(".")[0]
            if package not in prefixes:
                prefixes[package] = f"type{len(prefixes)}"
                spaces[prefixes[package]] = "http:///" + package.replace(".", "/") + ".ecore"
        out = ['<?xml version="1.0" encoding="UTF-8"?><xmi:XMI '
               + " ".join(f'xmlns:{prefix}="{space}"' for prefix, space in spaces.items()) + ' xmi:version="2.0">',
               '    <cas:NULL xmi:id="0"/>']
        for number, layer, features in self.elements:
            package, _, name = layer.rpartition(".")
            values = "".join(f" {key}={quoteattr(str(value))}" for key, value in features.items())
            out.append(f'    <{prefixes[package]}:{name} xmi:id="{number}"{values}/>')
        text = quoteattr(self.text, {"\n": "&#10;", "\t": "&#9;", '"': "&quot;"})
        out.append(f'    <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString={text}/>')
        members = " ".join(str(number) for number, _, _ in self.elements)
        return "\n".join(out + [f'    <cas:View sofa="1" members="{members}"/>', "</xmi:XMI>", ""])


def predictions(xmi, layer):
    """The suggestions in a document: their features, "text" being what they cover."""
    root = ElementTree.fromstring(xmi.encode())
    text = next(e for e in root if e.tag.endswith("}Sofa")).get("sofaString").encode("utf-16-le")
    package, _, name = layer.rpartition(".")
    found = []
    for element in root.findall("{http:///" + package.replace(".", "/") + ".ecore}" + name):
        if element.get("inception_internal_predicted") == "true":
            covered = text[2 * int(element.get("begin")):2 * int(element.get("end"))].decode("utf-16-le")
            found.append({**element.attrib, "text": covered, "id": element.get("{" + XMI + "}id")})
    return found
