// Runs before the page is drawn, so that nothing moves: has the reader turned the code pane off?
try {
  if (localStorage.getItem("code-pane") === "off")
    document.documentElement.dataset.codePane = "off";
} catch {
  // No storage here: the pane is on.
}
