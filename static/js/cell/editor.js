// A code editor for Python: CodeMirror, in the looks of the site's listings (static/cell.css).

/**
 * @typedef {Object} EditorOptions
 * @property {HTMLElement} listing whose place it takes
 * @property {string} text
 * @property {string} original what changes are shown against
 * @property {number} first the number of the first line
 * @property {string} label for screen readers
 * @property {string} help id of the element that says which keys there are
 * @property {(text: string) => void} onChange
 * @property {() => void} onRun
 *
 * @typedef {Object} Editor
 * @property {() => void} focus
 * @property {(text: string) => void} replace takes a new text; it can be undone
 * @property {(line: number, message: string) => void} mark a line that failed, until the next edit
 * @property {(shown: boolean) => void} showChanges
 */

/**
 * Load CodeMirror, unless the page has it already, and put an editor where a listing is.
 *
 * @param {EditorOptions} options
 * @returns {Promise<Editor>}
 */
export async function openEditor(options) {
  const codemirror = await import("../bundles/codemirror.js");
  const { Compartment, Decoration, EditorState, EditorView, unifiedMergeView } = codemirror;
  const marks = failedLine(codemirror);
  const changes = new Compartment();
  const view = new EditorView({
    state: EditorState.create({
      doc: options.text,
      extensions: [extensions(codemirror, options), marks.field, changes.of([])],
    }),
  });
  options.listing.hidden = true;
  options.listing.after(view.dom);
  return {
    focus: () => view.focus(),
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    mark(line, message) {
      const number = Math.min(Math.max(line - options.first + 1, 1), view.state.doc.lines);
      const { from } = view.state.doc.line(number);
      const attributes = { class: "cm-failed", "data-message": message };
      const mark = Decoration.set(Decoration.line({ attributes }).range(from));
      view.dispatch({ effects: marks.set.of(mark) });
    },
    showChanges(shown) {
      const { original } = options;
      const extension = shown ? unifiedMergeView({ original, mergeControls: false }) : [];
      view.dispatch({ effects: changes.reconfigure(extension) });
    },
  };
}

/**
 * @param {typeof import("../bundles/codemirror.js")} codemirror
 * @param {EditorOptions} options
 */
function extensions(codemirror, options) {
  const { EditorView, keymap } = codemirror;
  const run = () => {
    options.onRun();
    return true;
  };
  return [
    codemirror.lineNumbers({ formatNumber: (number) => String(number + options.first - 1) }),
    codemirror.history(),
    codemirror.pythonLanguage,
    codemirror.syntaxHighlighting(highlighting(codemirror)),
    codemirror.indentUnit.of("    "),
    codemirror.indentOnInput(),
    codemirror.bracketMatching(),
    codemirror.highlightActiveLine(),
    // Escape, then Tab, leaves: CodeMirror itself lets a Tab after an Escape go.
    keymap.of([
      { key: "Ctrl-Enter", mac: "Cmd-Enter", run },
      { mac: "Ctrl-Enter", run },
      codemirror.indentWithTab,
      ...codemirror.historyKeymap,
      ...codemirror.defaultKeymap,
    ]),
    EditorView.contentAttributes.of({
      "aria-label": options.label,
      "aria-describedby": options.help,
      autocapitalize: "off",
      tabindex: "0",
      spellcheck: "false",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.onChange(update.state.doc.toString());
    }),
  ];
}

/**
 * The classes that Pygments gives the listings, so that both have the same colours.
 *
 * @param {typeof import("../bundles/codemirror.js")} codemirror
 */
function highlighting({ HighlightStyle, tags }) {
  return HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], class: "k" },
    { tag: [tags.string, tags.special(tags.string)], class: "s1" },
    { tag: tags.number, class: "mi" },
    { tag: tags.comment, class: "c1" },
    { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  ]);
}

/** @param {typeof import("../bundles/codemirror.js")} codemirror */
function failedLine({ Decoration, EditorView, StateEffect, StateField }) {
  /** @type {import("@codemirror/state").StateEffectType<import("@codemirror/view").DecorationSet>} */
  const set = StateEffect.define();
  const field = StateField.define({
    create: () => Decoration.none,
    update(marks, transaction) {
      for (const effect of transaction.effects) if (effect.is(set)) return effect.value;
      return transaction.docChanged ? Decoration.none : marks;
    },
    provide: (marks) => EditorView.decorations.from(marks),
  });
  return { set, field };
}
