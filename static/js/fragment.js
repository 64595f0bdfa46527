// What the page's address says after `#`, as ids are written.

export function fragment() {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
