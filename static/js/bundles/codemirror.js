// The parts of CodeMirror that the code editor uses. The build bundles them into one file, which is
// fetched when a reader first edits code.
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { pythonLanguage } from "@codemirror/lang-python";
export {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
export { unifiedMergeView } from "@codemirror/merge";
export { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
export { tags } from "@lezer/highlight";
