/** The dashboard's colours, for pages that stand alone. Its script of the chosen theme sets `data-theme`; without scripts, the system's counts. */
export const style = `
  :root { color-scheme: light dark;
    --canvas: light-dark(oklch(0.985 0.003 265), oklch(0.175 0.012 265)); --surface: light-dark(oklch(1 0 0), oklch(0.212 0.014 265));
    --raised: light-dark(oklch(0.972 0.004 265), oklch(0.25 0.016 265)); --line: light-dark(oklch(0.915 0.008 265), oklch(0.305 0.018 265));
    --line-strong: light-dark(oklch(0.64 0.02 265), oklch(0.56 0.02 265)); --ink: light-dark(oklch(0.23 0.03 265), oklch(0.955 0.006 265));
    --soft: light-dark(oklch(0.42 0.03 265), oklch(0.8 0.015 265)); --accent: light-dark(oklch(0.51 0.21 277), oklch(0.74 0.135 277));
    --on-accent: light-dark(oklch(1 0 0), oklch(0.18 0.03 277)); --good-soft: light-dark(oklch(0.955 0.035 155), oklch(0.29 0.045 155));
    --bad: light-dark(oklch(0.51 0.2 25), oklch(0.77 0.13 22)); --bad-soft: light-dark(oklch(0.955 0.022 25), oklch(0.31 0.06 22)) }
  [data-theme=light] { color-scheme: light } [data-theme=dark] { color-scheme: dark }
  * { box-sizing: border-box }
  body { margin: 0; background: var(--canvas); color: var(--ink); font: .9375rem/1.5 'Inter Variable', Inter, ui-sans-serif, system-ui, sans-serif }
  main { max-width: 26rem; margin: 0 auto; padding: clamp(1rem, 8vh, 5rem) 1rem 2rem } main.wide { max-width: 40rem; padding-top: clamp(1rem, 5vh, 3rem) }
  .card { background: var(--surface); border: 1px solid var(--line); border-radius: 1rem; padding: 1.75rem; box-shadow: 0 1px 2px rgb(0 0 0 / 6%) }
  .brand { display: flex; align-items: center; gap: .5rem; font-weight: 600; margin: 0 0 1.25rem } .brand svg { width: 1.6rem; height: 1.6rem }
  h1 { font-size: 1.35rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .75rem } h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem }
  p { margin: 0 0 1rem } p:last-child { margin-bottom: 0 } small, .soft { color: var(--soft); font-size: .875rem }
  label { display: block; font-weight: 500; margin: 1rem 0 .3rem } small.hint { display: block; margin-top: .35rem; line-height: 1.4 }
  input { width: 100%; font: inherit; color: inherit; background: var(--surface); padding: .55rem .75rem; border: 1px solid var(--line-strong); border-radius: .5rem }
  input[readonly] { background: var(--raised); border-color: var(--line); color: var(--soft) }
  input[aria-invalid=true] { border-color: var(--bad) }
  .fault { color: var(--bad); margin: .35rem 0 0; font-size: .875rem }
  .notice { border-radius: .5rem; padding: .6rem .75rem; background: var(--good-soft) }
  .notice.plain { background: var(--raised) } .notice.bad { background: var(--bad-soft); color: var(--bad) }
  button, .button { display: block; width: 100%; font: inherit; font-weight: 600; text-align: center; cursor: pointer; padding: .6rem 1rem;
    margin: 1.5rem 0 0; border: 1px solid transparent; border-radius: .5rem; background: var(--accent); color: var(--on-accent); text-decoration: none }
  button.plain, .button.plain { background: none; color: var(--ink); border-color: var(--line-strong); font-weight: 500; margin: 0 }
  button:disabled { cursor: default; opacity: .55 }
  button.person { display: flex; justify-content: space-between; gap: 1rem; text-align: left; margin: .3rem 0 }
  a { color: var(--accent); text-underline-offset: 2px } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  input:focus-visible { outline-offset: -1px }
  code { overflow-wrap: anywhere; font-size: .9em } p > code:only-child { display: block; padding: .5rem .75rem; border-radius: .5rem; background: var(--raised); user-select: all }
  ul { list-style: none; padding: 0; margin: 0 } li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between;
    padding: .75rem 0; border-top: 1px solid var(--line) } li:first-child { border-top: 0 } li > span { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere }
  li button.plain { width: auto } li form { margin: 0 } ol { padding-left: 1.25rem } ol li { display: list-item; border: 0 }
  [data-passkey] button.plain, li details button.plain { margin-top: .75rem } .fault:empty { display: none }
  .qr { background: #fff; padding: .75rem; border-radius: .5rem; width: 14rem; max-width: 100%; margin: .75rem 0 } .qr svg { display: block }
  .codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)) } .codes li, li details { border: 0 } li details { flex-basis: 100% }
  .codes code { font-size: 1.05rem } summary { cursor: pointer; color: var(--accent) } section + section { border-top: 1px solid var(--line); margin-top: 1.5rem }
  .hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap } .end { margin: 1.25rem 0 0; text-align: center }
  @media (max-width: 30rem) { .card { padding: 1.25rem } }
`;
