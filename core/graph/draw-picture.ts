import { visibleHtml } from '../text/control-characters.js';
import { foldPeople, type PictureNode } from './fold-people.js';
import type { Graph } from './graph.js';
import { layOut, maxLabelLength } from './layout.js';

/** More edges between clusters than these are shown with the node that the pointer is on. */
const fewEdges = 60;
const signs = {
  create: '+ ',
  update: '~ ',
  replace: '-/+ ',
  delete: '- ',
  forget: '. ',
  unchanged: '',
} as const;

/** The style of {@link drawPicture}, for light and dark pages. */
export const pictureStyle = `.picture{--p-ink:#1d2430;--p-soft:#536075;--p-line:#8a94a6;--p-back:#f3f5f9;--p-card:#fff;--p-mark:#2456c4;color:var(--p-ink)}
@media(prefers-color-scheme:dark){.picture{--p-ink:#e8ebf2;--p-soft:#a5b0c2;--p-line:#66718a;--p-back:#121722;--p-card:#1c2230;--p-mark:#8fb0ff}}
.picture .tools{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:0 0 .5rem}
.picture .tools button,.picture .tools input{min-width:2.4rem;min-height:2.4rem;padding:.2rem .7rem;border:1px solid var(--p-line);border-radius:8px;background:var(--p-card);color:var(--p-ink);font:inherit}
.picture input::placeholder{color:var(--p-soft);opacity:1}.picture .tools output{color:var(--p-soft);font-size:.9rem}
.picture .stage{overflow:hidden;border:1px solid var(--p-line);border-radius:10px;background:var(--p-back);touch-action:pan-y}
.picture .stage:focus-visible{outline:2px solid var(--p-mark);outline-offset:2px}
.picture svg{display:block;width:100%;max-height:78vh;cursor:grab;user-select:none;font:13px system-ui,sans-serif}
.picture .cluster rect{fill:var(--p-card);stroke:var(--p-line);stroke-opacity:.5}.picture .cluster text{fill:var(--p-soft);font-weight:600;font-size:14px}
.picture .node rect{fill:var(--p-card);stroke:var(--p-line);stroke-width:1.2}.picture .node .stripe{stroke:none;fill:var(--kind,#818b98)}
.picture .node text{fill:var(--p-ink);font-weight:600}.picture .node .type{fill:var(--p-soft);font-weight:400;font-size:11px}
.picture a{text-decoration:none}.picture a:focus-visible rect:first-child,.picture .node:focus-visible rect:first-child{stroke:var(--p-mark);stroke-width:3}
.picture .app{--kind:#2f81f7}.picture .group{--kind:#a371f7}.picture .credential{--kind:#d29922}.picture .person{--kind:#57606a}.picture .store{--kind:#2da44e}.picture .stream,.picture .source{--kind:#1f9ede}.picture .place{--kind:#818b98}
.picture .create{--kind:#2da44e}.picture .update{--kind:#bf8700}.picture .replace{--kind:#e16f24}.picture .delete{--kind:#cf222e}.picture .running{--kind:#2da44e}.picture .failed{--kind:#cf222e}.picture .waiting,.picture .starting{--kind:#bf8700}
.picture .edge{fill:none;stroke:var(--p-line);stroke-width:1.2;marker-end:url(#arrow)}.picture .many .far:not(.lit){display:none}
.picture .afar .node rect{fill:color-mix(in srgb,var(--kind,#818b98) 32%,var(--p-card));stroke:var(--kind,#818b98)}.picture .afar .edge:not(.lit){opacity:.22}.picture .afar .node text{display:none}.picture .afar .cluster text{fill:var(--p-ink);font-size:calc(var(--far)*11px);transform:translateY(calc(var(--far)*4px))}
.picture marker path{fill:var(--p-line)}.picture .dimmed :is(.node,.edge):not(.lit){opacity:.15}.picture .edge.lit{stroke:var(--p-mark);stroke-width:2}`;

/**
 * What makes a picture answer: the pointer dims all but the neighbours, a filter, zoom by wheel,
 * buttons and keys, and moving by dragging. It defines `castellanPicture(element)` and needs nothing
 * else, so that it can be part of one file.
 */
export const pictureScript = `function castellanPicture(root){
var svg=root.querySelector('svg'),stage=root.querySelector('.stage'),box=svg.viewBox.baseVal,whole=[box.x,box.y,box.width,box.height];
var nodes=[].slice.call(svg.querySelectorAll('.node')),edges=[].slice.call(svg.querySelectorAll('.edge'));
var filter=root.querySelector('input'),out=root.querySelector('output');
function level(){var far=Math.max(box.width/Math.max(svg.clientWidth,1),box.height/Math.max(svg.clientHeight,1));svg.style.setProperty('--far',Math.min(far,7).toFixed(2));svg.classList.toggle('afar',far>2.2)}
function show(v){box.x=v[0];box.y=v[1];box.width=v[2];box.height=v[3];level()}
function zoom(by,cx,cy){var w=box.width*by,h=box.height*by;if(w>whole[2]*2||w<120)return;
cx=cx===undefined?box.x+box.width/2:cx;cy=cy===undefined?box.y+box.height/2:cy;show([cx-(cx-box.x)*by,cy-(cy-box.y)*by,w,h])}
function light(ids){svg.classList.toggle('dimmed',ids!==null);
edges.forEach(function(e){e.classList.toggle('lit',ids!==null&&ids.near!==undefined&&(e.dataset.from===ids.near||e.dataset.to===ids.near))});
nodes.forEach(function(n){n.classList.toggle('lit',ids!==null&&ids.has(n.dataset.id))})}
function around(id){var ids=new Set([id]);ids.near=id;edges.forEach(function(e){if(e.dataset.from===id)ids.add(e.dataset.to);if(e.dataset.to===id)ids.add(e.dataset.from)});return ids}
function search(){var word=filter.value.trim().toLowerCase();if(word===''){out.textContent=nodes.length+' nodes';return light(null)}
var hits=nodes.filter(function(n){return n.textContent.toLowerCase().indexOf(word)>=0});out.textContent=hits.length+' of '+nodes.length+' nodes';
light(new Set(hits.map(function(n){return n.dataset.id})));
if(hits.length>0){var b=hits.reduce(function(a,n){var r=n.getBBox();return[Math.min(a[0],r.x),Math.min(a[1],r.y),Math.max(a[2],r.x+r.width),Math.max(a[3],r.y+r.height)]},[1e9,1e9,-1e9,-1e9]);
var pad=60,w=Math.max(b[2]-b[0]+2*pad,420),h=Math.max(b[3]-b[1]+2*pad,260);show([(b[0]+b[2]-w)/2,(b[1]+b[3]-h)/2,w,h])}else show(whole)}
nodes.forEach(function(n){function on(){light(around(n.dataset.id))}n.addEventListener('pointerenter',on);n.addEventListener('pointerleave',search0);n.addEventListener('focusin',on);n.addEventListener('focusout',search0)});
function search0(){if(filter.value.trim()==='')light(null);else{var v=[box.x,box.y,box.width,box.height];search();show(v)}}
filter.addEventListener('input',search);
root.querySelector('.in').addEventListener('click',function(){zoom(.75)});root.querySelector('.out').addEventListener('click',function(){zoom(1/.75)});
root.querySelector('.fit').addEventListener('click',function(){show(whole)});
function place(e){var p=new DOMPoint(e.clientX,e.clientY).matrixTransform(svg.getScreenCTM().inverse());return p}
svg.addEventListener('wheel',function(e){if(!e.ctrlKey&&!e.metaKey&&box.width>=whole[2]&&e.deltaY>0)return;if(!e.ctrlKey&&!e.metaKey&&!stage.matches(':focus-within'))return;e.preventDefault();var p=place(e);zoom(e.deltaY<0?.87:1.15,p.x,p.y)},{passive:false});
var from=null,moved=false;svg.addEventListener('pointerdown',function(e){if(e.pointerType==='touch'&&box.width>=whole[2])return;from=place(e);moved=false});
svg.addEventListener('pointermove',function(e){if(from===null)return;var p=place(e);if(Math.abs(p.x-from.x)+Math.abs(p.y-from.y)>4)moved=true;box.x-=p.x-from.x;box.y-=p.y-from.y});
addEventListener('pointerup',function(){from=null});svg.addEventListener('click',function(e){if(moved)e.preventDefault()},true);svg.addEventListener('dragstart',function(e){e.preventDefault()});
stage.addEventListener('keydown',function(e){var s=box.width/10,k=e.key;if(k==='+'||k==='=')zoom(.75);else if(k==='-')zoom(1/.75);else if(k==='0')show(whole);else if(k==='ArrowLeft')box.x-=s;else if(k==='ArrowRight')box.x+=s;else if(k==='ArrowUp')box.y-=s;else if(k==='ArrowDown')box.y+=s;else return;e.preventDefault()});
new ResizeObserver(level).observe(svg);search();level()}`;

/**
 * A graph as a picture for a page with {@link pictureStyle} and {@link pictureScript}: an app or a
 * workspace is a frame with what belongs to it, and many people are a number on their groups. The
 * layout within a frame is dagre's.
 */
export function drawPicture(graph: Graph): string {
  const title = visibleHtml(graph.title);
  const { width, height, clusters, nodes, edges } = layOut(foldPeople(graph));
  const far = edges.filter(({ isFar }) => isFar).length;
  const frames = clusters.map(
    (each) =>
      `<g class="cluster"><rect x="${each.x}" y="${each.y}" width="${each.width}" height="${each.height}" rx="12"/><text x="${each.x + 16}" y="${each.y + 24}">${visibleHtml(each.title)}</text></g>`,
  );
  const lines = edges.map(
    ({ edge, path, isFar }) =>
      `<path class="edge${isFar ? ' far' : ''}" data-from="${edge.from}" data-to="${edge.to}" d="${path}"><title>${visibleHtml(edge.label ?? '')}</title></path>`,
  );
  const margin = 12;
  const view = [-margin, -margin, width + 2 * margin, height + 2 * margin]
    .map((each) => each.toFixed(0))
    .join(' ');
  return `<div class="picture"><div class="tools"><input type="search" placeholder="Filter" aria-label="Filter the nodes of ${title}"><button type="button" class="out" aria-label="Zoom out">−</button><button type="button" class="in" aria-label="Zoom in">+</button><button type="button" class="fit">Fit</button><output></output></div>
<div class="stage" tabindex="0" role="group" aria-label="Picture of ${title}; plus, minus, 0 and arrow keys zoom and move"><svg viewBox="${view}" style="max-width:${Math.round(width + 2 * margin)}px;aspect-ratio:${Math.round(width + 2 * margin)}/${Math.round(height + 2 * margin)}"${far > fewEdges ? ' class="many"' : ''}><title>${title}</title><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${frames.join('\n')}
${lines.join('\n')}
${nodes.map(drawNode).join('\n')}</svg></div></div>`;
}

function drawNode({
  node,
  x,
  y,
  width,
  height,
}: {
  readonly node: PictureNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}): string {
  const { id, name, type, shape, change, href, people = [] } = node;
  const sign = change === undefined ? '' : signs[change];
  const written = name.length > maxLabelLength ? `${name.slice(0, maxLabelLength - 1)}…` : name;
  const classes = ['node', shape, ...(change === undefined ? [] : [change])].join(' ');
  const tip = [name, type, ...(people.length === 0 ? [] : [people.join(', ')])].join(' · ');
  const count = `${String(people.length)} ${people.length === 1 ? 'person' : 'people'}`;
  const at = (dx: number, dy: number): string =>
    `x="${(x + dx).toFixed(1)}" y="${(y + dy).toFixed(1)}"`;
  const body = `<rect ${at(0, 0)} width="${width}" height="${height}" rx="8"/><rect class="stripe" ${at(0, 0)} width="6" height="${height}" rx="3"/><text ${at(16, 20)}>${visibleHtml(sign + written)}</text><text class="type" ${at(16, 36)}>${visibleHtml(type)}</text>${people.length === 0 ? '' : `<text class="type" ${at(16, 52)}>${count}</text>`}<title>${visibleHtml(tip)}</title>`;
  const attributes = `class="${classes}" data-id="${id}" data-name="${visibleHtml(name)}"`;
  return href === undefined
    ? `<g ${attributes}>${body}</g>`
    : `<g ${attributes}><a href="${visibleHtml(href)}">${body}</a></g>`;
}
