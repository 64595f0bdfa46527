// Runs before the first paint: the fonts of formulas are embedded in the styles, but browsers decode
// one only when text first uses it, and would paint that text in a fallback font, then shift it.
for (const face of document.fonts) if (face.family.includes("KaTeX_")) face.load();
