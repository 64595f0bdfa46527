// Runs before the page is drawn: the faces of formulas are in the styles, but browsers unpack one only
// when text first asks for it, and would draw that text in another face, then move it.
for (const face of document.fonts) if (face.family.includes("KaTeX_")) face.load();
