/**
 * The script of a picture: hovering a node dims all but its neighbours, a filter searches, the
 * wheel, buttons and keys zoom, and dragging moves. It defines `castellanPicture(element)` and
 * depends on nothing else, so that it can be embedded in a page.
 */
export const pictureScript = `function castellanPicture(root) {
  const svg = root.querySelector('svg'), stage = root.querySelector('.stage');
  const filter = root.querySelector('input'), count = root.querySelector('output');
  const nodes = [...svg.querySelectorAll('.node')], edges = [...svg.querySelectorAll('.edge')];
  const box = svg.viewBox.baseVal;
  const fullView = [box.x, box.y, box.width, box.height];
  const titles = [...svg.querySelectorAll('.title')];
  const frames = [...svg.querySelectorAll('.frame')].map((frame, at) => {
    const title = titles[at];
    return { frame, title, text: title.textContent, rect: frame.getBBox() };
  });

  let lastUnitsPerPixel;
  // Zoomed out, only the titles of the frames can be read: they are as large as their frames allow.
  function updateDetail() {
    const unitsPerPixel = Math.max(box.width / (svg.clientWidth || 1), box.height / (svg.clientHeight || 1));
    const isAfar = unitsPerPixel > 1.9;
    svg.classList.toggle('afar', isAfar);
    svg.style.setProperty('--far', Math.min(unitsPerPixel, 7).toFixed(2));
    stage.classList.toggle('zoomed-in', box.width < fullView[2] - 1);
    if (unitsPerPixel === lastUnitsPerPixel) return; // moved, not zoomed
    lastUnitsPerPixel = unitsPerPixel;
    fitTitles(isAfar);
  }
  // Titles become a little smaller, then lose characters in their middles: names differ at their ends.
  function fitTitles(isAfar) {
    for (const { title, text } of frames) {
      title.textContent = text;
      title.style.removeProperty('--fit');
    }
    if (!isAfar) return;
    const measured = frames.map(({ title, text, rect }) => {
      const availableWidth = rect.width - 1.4 * (title.getBBox().x - rect.x);
      const scale = availableWidth / title.getComputedTextLength();
      return { title, text, availableWidth, scale, length: Math.ceil((text.length * scale) / .75) };
    });
    for (const { title, scale } of measured)
      title.style.setProperty('--fit', Math.min(1, Math.max(.75, scale)).toFixed(2));
    let long = measured.filter(({ scale }) => scale < .75);
    while (long.length > 0) {
      for (const each of long) {
        const kept = --each.length, head = Math.floor(kept / 2);
        each.title.textContent = each.text.slice(0, head) + '…' + each.text.slice(1 + head - kept);
      }
      long = long.filter(({ title, availableWidth, length }) => length > 3 && title.getComputedTextLength() > availableWidth);
    }
  }
  function show([x, y, width, height]) {
    Object.assign(box, { x, y, width, height });
    updateDetail();
  }
  function showBox({ x, y, width, height }, padding) {
    const [w, h] = [Math.max(width + 2 * padding, 420), Math.max(height + 2 * padding, 260)];
    show([x + (width - w) / 2, y + (height - h) / 2, w, h]);
  }
  function zoom(factor, at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }) {
    const [width, height] = [box.width * factor, box.height * factor];
    if (width > fullView[2] * 2 || width < 120) return;
    show([at.x - (at.x - box.x) * factor, at.y - (at.y - box.y) * factor, width, height]);
  }
  // A large picture on a phone begins where its names can be read, and not with all of it.
  function showFirstView() {
    const width = svg.clientWidth;
    const isSmall = width > 0 && width < 640 && fullView[2] > 1.6 * width;
    if (!isSmall) return show(fullView);
    stage.classList.add('large');
    svg.style.height = Math.min(innerHeight * .68, fullView[3] / 1.15) + 'px';
    show([fullView[0], fullView[1], width * 1.15, svg.clientHeight * 1.15]);
  }

  function highlight(ids, nodeId) {
    svg.classList.toggle('dimmed', ids !== undefined);
    for (const { classList, dataset } of nodes) classList.toggle('lit', ids?.has(dataset.id) === true);
    for (const { classList, dataset: { from, to } } of edges)
      classList.toggle('lit', nodeId !== undefined && (from === nodeId || to === nodeId));
  }
  function highlightNeighbours({ dataset: { id } }) {
    const ids = new Set([id]);
    for (const { dataset: { from, to } } of edges) {
      if (from === id) ids.add(to);
      if (to === id) ids.add(from);
    }
    highlight(ids, id);
  }
  function highlightFound() {
    const word = filter.value.trim().toLowerCase();
    const found = nodes.filter(({ textContent }) => textContent.toLowerCase().includes(word));
    count.textContent = (word === '' ? '' : found.length + ' of ') + nodes.length + ' nodes';
    highlight(word === '' ? undefined : new Set(found.map(({ dataset }) => dataset.id)));
    return word === '' ? [] : found;
  }
  function search() {
    const boxes = highlightFound().map((node) => node.getBBox());
    if (boxes.length === 0) return show(fullView);
    const [x, y] = [Math.min(...boxes.map((b) => b.x)), Math.min(...boxes.map((b) => b.y))];
    const width = Math.max(...boxes.map((b) => b.x + b.width)) - x;
    showBox({ x, y, width, height: Math.max(...boxes.map((b) => b.y + b.height)) - y }, 60);
  }
  for (const node of nodes) {
    for (const event of ['pointerenter', 'focusin'])
      node.addEventListener(event, () => highlightNeighbours(node));
    for (const event of ['pointerleave', 'focusout']) node.addEventListener(event, highlightFound);
  }
  filter.addEventListener('input', search);
  const actions = { in: () => zoom(.75), out: () => zoom(1 / .75), fit: () => show(fullView) };
  for (const [name, action] of Object.entries(actions))
    root.querySelector('.' + name).addEventListener('click', action);
  for (const { frame, rect } of frames)
    frame.addEventListener('click', () => {
      if (!wasMoved && svg.classList.contains('afar')) showBox(rect, 20);
    });

  const keys = {
    '+': actions.in, '=': actions.in, '-': actions.out, 0: actions.fit,
    ArrowLeft: () => (box.x -= box.width / 10), ArrowRight: () => (box.x += box.width / 10),
    ArrowUp: () => (box.y -= box.width / 10), ArrowDown: () => (box.y += box.width / 10),
  };
  function onKey(event) {
    if (!root.isConnected) return removeEventListener('keydown', onKey);
    const isInPicture = stage.contains(event.target);
    // the arrows of a page that has no focus scroll it
    const isForPicture = isInPicture || (event.target === document.body && !event.key.startsWith('Arrow'));
    if (!isForPicture || event.ctrlKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    keys[event.key]();
    event.preventDefault();
  }
  addEventListener('keydown', onKey);

  const pointOf = ({ clientX, clientY }) =>
    new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  svg.addEventListener('wheel', (event) => {
    const isZoom = event.ctrlKey || event.metaKey;
    const isFullView = box.width >= fullView[2] && event.deltaY > 0;
    if (!isZoom && (isFullView || !stage.matches(':focus-within'))) return; // the page scrolls
    event.preventDefault();
    zoom(event.deltaY < 0 ? .87 : 1.15, pointOf(event));
  }, { passive: false });
  let dragStart, wasMoved = false;
  svg.addEventListener('pointerdown', (event) => {
    wasMoved = false;
    if (event.pointerType !== 'touch' || box.width < fullView[2]) dragStart = pointOf(event);
  });
  svg.addEventListener('pointermove', (event) => {
    if (dragStart === undefined) return;
    const { x, y } = pointOf(event);
    if (Math.abs(x - dragStart.x) + Math.abs(y - dragStart.y) > 4) wasMoved = true;
    box.x -= x - dragStart.x;
    box.y -= y - dragStart.y;
  });
  for (const event of ['pointerup', 'pointercancel'])
    addEventListener(event, () => (dragStart = undefined));
  svg.addEventListener('click', (event) => wasMoved && event.preventDefault(), true);
  svg.addEventListener('dragstart', (event) => event.preventDefault());
  new ResizeObserver(updateDetail).observe(svg);
  highlightFound();
  showFirstView();
}`;
