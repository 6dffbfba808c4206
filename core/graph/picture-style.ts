/** The style of pictures, for light and dark pages. */
export const pictureStyle = `.picture {
  --p-ink: #1d2430; --p-soft: #536075; --p-line: #8a94a6;
  --p-back: #f3f5f9; --p-card: #fff; --p-mark: #2456c4;
  color: var(--p-ink);
}
@media (prefers-color-scheme: dark) {
  .picture {
    --p-ink: #e8ebf2; --p-soft: #a5b0c2; --p-line: #66718a;
    --p-back: #121722; --p-card: #1c2230; --p-mark: #8fb0ff;
  }
}
.picture .tools {
  display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin: 0 0 .5rem;
}
.picture .tools :is(button, input) {
  min-width: 2.4rem; min-height: 2.4rem; padding: .2rem .7rem; border: 1px solid var(--p-line);
  border-radius: 8px; background: var(--p-card); color: var(--p-ink); font: inherit;
}
.picture .tools input { flex: 1 1 5rem; min-width: 5rem; max-width: 15rem }
.picture input::placeholder { color: var(--p-soft); opacity: 1 }
.picture :is(output, .legend) { color: var(--p-soft); font-size: .9rem }
.picture .legend {
  display: flex; flex-wrap: wrap; gap: .1rem .9rem; margin: 0 0 0 auto; padding: 0; list-style: none;
}
.picture .legend li::before {
  content: ''; display: inline-block; width: .35rem; height: .9rem; margin-right: .4rem;
  border-radius: 2px; background: var(--kind); vertical-align: -.1rem;
}
.picture .stage {
  overflow: hidden; border: 1px solid var(--p-line); border-radius: 10px;
  background: var(--p-back); touch-action: pan-y;
}
.picture .stage.zoomed-in { touch-action: pinch-zoom }
.picture .stage:focus-visible { outline: 2px solid var(--p-mark); outline-offset: 2px }
.picture svg {
  display: block; width: 100%; max-height: 78vh; margin: 0 auto; cursor: grab; user-select: none;
  font: 13px system-ui, sans-serif;
}
.picture .frame { fill: var(--p-card); stroke: var(--p-line); stroke-opacity: .5 }
.picture .title { fill: var(--p-soft); font-weight: 600; font-size: 14px; pointer-events: none }
.picture .node rect { fill: var(--p-card); stroke: var(--p-line); stroke-width: 1.2 }
.picture .node .stripe { stroke: none; fill: var(--kind, #818b98) }
.picture .node text { fill: var(--p-ink); font-weight: 600 }
.picture .node .type { fill: var(--p-soft); font-weight: 400; font-size: 11px }
.picture .row rect:first-child, .picture .heading rect:first-child { stroke: none }
.picture .row text { font-weight: 500 }
.picture .heading text { font-weight: 700; font-size: 14px }
.picture .row a:hover text { text-decoration: underline }
.picture .headed { display: none }
.picture a { text-decoration: none }
.picture :is(a:focus-visible, .node:focus-visible) rect:first-child {
  stroke: var(--p-mark); stroke-width: 3;
}
.picture .app { --kind: #2f81f7 }
.picture .group { --kind: #a371f7 }
.picture .credential { --kind: #d29922 }
.picture .person { --kind: #57606a }
.picture .store { --kind: #d6409f }
.picture :is(.stream, .source) { --kind: #12a594 }
.picture .place { --kind: #818b98 }
.picture :is(.create, .running) { --kind: #2da44e }
.picture :is(.update, .waiting, .starting) { --kind: #bf8700 }
.picture .replace { --kind: #e16f24 }
.picture :is(.delete, .failed) { --kind: #cf222e }
.picture .edge { fill: none; stroke: var(--p-line); stroke-width: 1.2; marker-end: url(#arrow) }
.picture .many .far:not(.lit) { display: none }
.picture .edge.lit { stroke: var(--p-mark); stroke-width: 2 }
.picture marker path { fill: var(--p-line) }
.picture .dimmed :is(.node, .edge):not(.lit) { opacity: .15 }
.picture .afar .node text { display: none }
.picture .afar .node rect {
  fill: color-mix(in srgb, var(--kind, #818b98) 32%, var(--p-card)); stroke: none;
}
.picture .afar .heading rect { fill: transparent }
.picture .afar .edge:not(.lit) { opacity: .22 }
.picture .afar .frame { cursor: zoom-in }
.picture .afar .title {
  display: inline; fill: var(--p-ink); font-size: calc(var(--far) * var(--fit, 1) * 11px);
  transform: translateY(calc(var(--far) * 4px));
}
.picture .stage.large svg { max-width: none !important; aspect-ratio: auto !important }`;
