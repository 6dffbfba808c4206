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
  const whole = [box.x, box.y, box.width, box.height];
  const titles = [...svg.querySelectorAll('.title')];
  const frames = [...svg.querySelectorAll('.frame')].map((frame, at) => {
    const title = titles[at];
    return { frame, title, text: title.textContent, rect: frame.getBBox() };
  });

  let shownFar;
  // From afar, only the titles of the frames can be read: as large as their frames allow.
  function level() {
    const far = Math.max(box.width / (svg.clientWidth || 1), box.height / (svg.clientHeight || 1));
    const isAfar = far > 1.9;
    svg.classList.toggle('afar', isAfar);
    svg.style.setProperty('--far', Math.min(far, 7).toFixed(2));
    stage.classList.toggle('part', box.width < whole[2] - 1);
    if (far === shownFar) return; // moved, not zoomed
    shownFar = far;
    fitTitles(isAfar);
  }
  // Titles become a little smaller, then lose letters of their middles: names differ at their ends.
  function fitTitles(isAfar) {
    for (const { title, text } of frames) {
      title.textContent = text;
      title.style.removeProperty('--fit');
    }
    if (!isAfar) return;
    const measured = frames.map(({ title, text, rect }) => {
      const room = rect.width - 1.4 * (title.getBBox().x - rect.x);
      const share = room / title.getComputedTextLength();
      return { title, text, room, share, letters: Math.ceil((text.length * share) / .75) };
    });
    for (const { title, share } of measured)
      title.style.setProperty('--fit', Math.min(1, Math.max(.75, share)).toFixed(2));
    let long = measured.filter(({ share }) => share < .75);
    while (long.length > 0) {
      for (const each of long) {
        const most = --each.letters, head = Math.floor(most / 2);
        each.title.textContent = each.text.slice(0, head) + '…' + each.text.slice(1 + head - most);
      }
      long = long.filter(({ title, room, letters }) => letters > 3 && title.getComputedTextLength() > room);
    }
  }
  function show([x, y, width, height]) {
    Object.assign(box, { x, y, width, height });
    level();
  }
  function showBox({ x, y, width, height }, pad) {
    const [w, h] = [Math.max(width + 2 * pad, 420), Math.max(height + 2 * pad, 260)];
    show([x + (width - w) / 2, y + (height - h) / 2, w, h]);
  }
  function zoom(by, at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }) {
    const [width, height] = [box.width * by, box.height * by];
    if (width > whole[2] * 2 || width < 120) return;
    show([at.x - (at.x - box.x) * by, at.y - (at.y - box.y) * by, width, height]);
  }
  // A large picture on a phone begins where its names can be read, instead of whole.
  function begin() {
    const width = svg.clientWidth;
    const isSmall = width > 0 && width < 640 && whole[2] > 1.6 * width;
    if (!isSmall) return show(whole);
    stage.classList.add('large');
    svg.style.height = Math.min(innerHeight * .68, whole[3] / 1.15) + 'px';
    show([whole[0], whole[1], width * 1.15, svg.clientHeight * 1.15]);
  }

  function light(ids, near) {
    svg.classList.toggle('dimmed', ids !== undefined);
    for (const { classList, dataset } of nodes) classList.toggle('lit', ids?.has(dataset.id) === true);
    for (const { classList, dataset: { from, to } } of edges)
      classList.toggle('lit', near !== undefined && (from === near || to === near));
  }
  function lightAround({ dataset: { id } }) {
    const ids = new Set([id]);
    for (const { dataset: { from, to } } of edges) {
      if (from === id) ids.add(to);
      if (to === id) ids.add(from);
    }
    light(ids, id);
  }
  function lightFound() {
    const word = filter.value.trim().toLowerCase();
    const found = nodes.filter(({ textContent }) => textContent.toLowerCase().includes(word));
    count.textContent = (word === '' ? '' : found.length + ' of ') + nodes.length + ' nodes';
    light(word === '' ? undefined : new Set(found.map(({ dataset }) => dataset.id)));
    return word === '' ? [] : found;
  }
  function search() {
    const boxes = lightFound().map((node) => node.getBBox());
    if (boxes.length === 0) return show(whole);
    const [x, y] = [Math.min(...boxes.map((b) => b.x)), Math.min(...boxes.map((b) => b.y))];
    const width = Math.max(...boxes.map((b) => b.x + b.width)) - x;
    showBox({ x, y, width, height: Math.max(...boxes.map((b) => b.y + b.height)) - y }, 60);
  }
  for (const node of nodes) {
    for (const event of ['pointerenter', 'focusin'])
      node.addEventListener(event, () => lightAround(node));
    for (const event of ['pointerleave', 'focusout']) node.addEventListener(event, lightFound);
  }
  filter.addEventListener('input', search);
  const actions = { in: () => zoom(.75), out: () => zoom(1 / .75), fit: () => show(whole) };
  for (const [name, act] of Object.entries(actions))
    root.querySelector('.' + name).addEventListener('click', act);
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
    const isHere = stage.contains(event.target);
    // the arrows of a page that has no focus scroll it
    const isMeant = isHere || (event.target === document.body && !event.key.startsWith('Arrow'));
    if (!isMeant || event.ctrlKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    keys[event.key]();
    event.preventDefault();
  }
  addEventListener('keydown', onKey);

  const placeOf = ({ clientX, clientY }) =>
    new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  svg.addEventListener('wheel', (event) => {
    const isMeant = event.ctrlKey || event.metaKey;
    const isWhole = box.width >= whole[2] && event.deltaY > 0;
    if (!isMeant && (isWhole || !stage.matches(':focus-within'))) return; // the page scrolls
    event.preventDefault();
    zoom(event.deltaY < 0 ? .87 : 1.15, placeOf(event));
  }, { passive: false });
  let from, wasMoved = false;
  svg.addEventListener('pointerdown', (event) => {
    wasMoved = false;
    if (event.pointerType !== 'touch' || box.width < whole[2]) from = placeOf(event);
  });
  svg.addEventListener('pointermove', (event) => {
    if (from === undefined) return;
    const { x, y } = placeOf(event);
    if (Math.abs(x - from.x) + Math.abs(y - from.y) > 4) wasMoved = true;
    box.x -= x - from.x;
    box.y -= y - from.y;
  });
  for (const event of ['pointerup', 'pointercancel'])
    addEventListener(event, () => (from = undefined));
  svg.addEventListener('click', (event) => wasMoved && event.preventDefault(), true);
  svg.addEventListener('dragstart', (event) => event.preventDefault());
  new ResizeObserver(level).observe(svg);
  lightFound();
  begin();
}`;
