// The page's one Python, which its examples, cells and exercises share.
import { keepPython } from "./offline.js";
import { Python } from "./python.js";

/** @type {Python | undefined} */
let python;

/** @returns {Python | null} null where the site was built without Python */
export function pythonOfPage() {
  const { runtime = "", runtimeBytes = "0" } = document.querySelector("main")?.dataset ?? {};
  if (runtimeBytes === "0") return null;
  if (!python) {
    python = new Python(runtime, Number(runtimeBytes));
    python.addEventListener("change", () => {
      if (python?.state === "ready") keepPython();
    });
  }
  return python;
}
