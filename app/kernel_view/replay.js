'use strict';
// Plays the events of a trace as kernel_view::Replay does. It knows nothing of the page.

const NONE = 0xffffffff;
/** What shared memory holds before it is stored to: compaction::not_stored, in each byte. */
const NOT_STORED_BYTE = 0xdd, NOT_STORED_WORD = 0xdddddddd;

/** A number of 64 bits. */
const joined = (low, high) => high ? BigInt(high) << 32n | BigInt(low) : low;

/** Unpacks the columns of a page. */
async function unpack(header, base64) {
  const packed = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const all = await new Response(stream).arrayBuffer();
  const columns = {};
  let at = 0;
  for (const [name, type, count] of header.columns) {
    const array = {u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array}[type];
    columns[name] = new array(all.slice(at, at + count * array.BYTES_PER_ELEMENT));
    at += count * array.BYTES_PER_ELEMENT;
  }
  return columns;
}

class Replay {
  constructor(header, columns) {
    this.header = header;
    this.readEvents(columns);
    this.orders = {};
    for (const id of ['warps', 'lanes']) this.orders[id] = this.readOrder(id, columns);
    this.initial = [];
    let at = 0;
    for (const buffer of header.buffers) {
      this.initial.push(this.memory(columns.initial.slice(at, at + buffer.bytes)));
      at += buffer.bytes;
    }
    this.order = null;
  }

  readEvents(columns) {
    const {sites, launches} = this.header, n = columns.site.length;
    this.site = columns.site;
    this.lineSet = columns.lineSet;
    this.bytes = columns.bytes;
    this.low = columns.low;
    this.high = columns.high;
    for (const name of ['thread', 'block', 'launch', 'address', 'mask', 'firstByte', 'firstNumber'])
      this[name] = new Uint32Array(n);
    const last = new Uint32Array(sites.length);
    let launch = -1, thread = 0, masks = 0, byte = 0, number = 0;
    for (let i = 0; i < n; ++i) {
      const site = sites[this.site[i]];
      if (site.kind == 'launch') launches[++launch].first = i;
      thread = thread + columns.thread[i] | 0;
      this.launch[i] = launch;
      this.block[i] = Math.floor(thread / launches[launch].threads);
      this.thread[i] = thread % launches[launch].threads;
      this.address[i] = last[this.site[i]] += columns.address[i];
      if (site.kind == 'collective results') this.mask[i] = columns.mask[masks++];
      this.firstByte[i] = byte;
      this.firstNumber[i] = number;
      byte += (site.loads ? site.bytes : 0) + (site.stores ? site.bytes : 0);
      number += columns.numbers[i];
    }
    launches.forEach((each, i) => each.last = i + 1 < launches.length ? launches[i + 1].first : n);
  }

  readOrder(id, columns) {
    const counts = columns[id + 'Counts'], n = this.site.length;
    const events = new Uint32Array(n), begins = new Uint32Array(counts.length + 1);
    const arguments_ = new Uint32Array(counts.length + 1), phrases = columns[id + 'Phrases'];
    const counted = this.header.phrases.map(phrase => phrase.split('{}').length - 1);
    for (let i = 0, at = 0; i < n; ++i) events[i] = at = id == 'warps' ? at + columns.order[i] : i;
    for (let i = 0; i < counts.length; ++i) {
      begins[i + 1] = begins[i] + counts[i];
      arguments_[i + 1] = arguments_[i] + counted[phrases[i]];
    }
    return {id, events, begins, phrases, arguments: arguments_, low: columns[id + 'Low'], high: columns[id + 'High'],
            size: counts.length, keyframes: []};
  }

  memory(bytes) {
    const words = Math.ceil(bytes.length / 4);
    return {bytes, storedBy: new Uint32Array(words).fill(NONE), loadedBy: new Uint32Array(words).fill(NONE)};
  }

  number(i) { return joined(this.low[i], this.high[i]); }
  warp(event) { return this.block[event] * this.header.launches[this.launch[event]].warps + (this.thread[event] >>> 5); }
  step(order, step) { return this.orders[order].events.subarray(this.orders[order].begins[step], this.orders[order].begins[step + 1]); }

  sentence(order, step) {
    const o = this.orders[order];
    let at = o.arguments[step];
    return this.header.phrases[o.phrases[step]].replace(/\{\}/g, () => {
      const number = joined(o.low[at], o.high[at]);
      ++at;
      return number;
    });
  }

  /** The state after a step. Valid until the next call. */
  at(order, step) {
    const o = this.orders[order], frames = o.keyframes;
    if (!frames.length) frames.push({step: 0, state: this.copy({launch: NONE, global: this.initial})});
    let frame = frames[0];
    for (const each of frames) if (each.step <= step) frame = each;
    if (this.order != order || this.next > step + 1 || this.next < frame.step) {
      this.state = this.copy(frame.state);
      this.next = frame.step;
      this.order = order;
    }
    const interval = Math.max(1024, this.site.length / 32);
    for (; this.next <= step; ++this.next) {
      const begin = o.begins[this.next];
      if (begin - o.begins[frames[frames.length - 1].step] >= interval)
        frames.push({step: this.next, state: this.copy(this.state)});
      for (let i = begin; i < o.begins[this.next + 1]; ++i) this.play(o.events[i]);
    }
    return this.state;
  }

  copy(value) {
    if (Array.isArray(value)) return value.map(each => this.copy(each));
    if (ArrayBuffer.isView(value)) return value.slice();
    if (typeof value != 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.copy(each)]));
  }

  beginLaunch(number) {
    const launch = this.header.launches[number], s = this.state, warps = launch.blocks * launch.warps;
    const values = warps * this.header.names.length, lines = this.header.lines.length;
    s.launch = number;
    s.sites = new Uint32Array(launch.blocks * launch.threads).fill(NONE);
    s.seen = new Uint32Array(warps * lines);
    s.values = {low: new Uint32Array(values * 32), high: new Uint32Array(values * 32), known: new Uint32Array(values),
                set: new Uint32Array(values), setAt: new Uint32Array(values).fill(NONE)};
    s.arrived = new Uint32Array(launch.blocks);
    s.shared = Array.from({length: launch.blocks}, () => this.memory(new Uint8Array(launch.shared).fill(NOT_STORED_BYTE)));
  }

  play(event) {
    const number = this.site[event], site = this.header.sites[number], s = this.state, block = this.block[event];
    if (site.kind == 'launch') return this.beginLaunch(this.launch[event]);
    if (site.byLane) {
      const bit = 1 << (this.thread[event] & 31), lines = this.header.lines.length, first = this.warp(event) * lines;
      s.sites[block * this.header.launches[s.launch].threads + this.thread[event]] = number;
      for (const line of this.header.lineSets[this.lineSet[event]]) s.seen[first + line] |= bit;
      for (const line of site.lines) s.seen[first + line] |= bit;
    }
    if (site.name >= 0) this.setValues(event, site);
    if (site.kind == 'barrier') ++s.arrived[block];
    if (site.kind == 'barrier release') s.arrived[block] = 0;
    this.access(event, site);
  }

  setValue(event, name, lane, low, high) {
    const v = this.state.values, i = this.warp(event) * this.header.names.length + name;
    if (v.setAt[i] != this.next) v.set[i] = 0;
    v.setAt[i] = this.next;
    v.set[i] |= 1 << lane;
    v.known[i] |= 1 << lane;
    v.low[i * 32 + lane] = low;
    v.high[i * 32 + lane] = high;
  }

  setValues(event, site) {
    const first = this.firstNumber[event], lane = this.thread[event] & 31;
    if (site.kind == 'note') return this.setValue(event, site.name, lane, this.low[first], this.high[first]);
    if (site.kind == 'collective results') {
      for (let l = 0, i = first; l < 32; ++l) {
        if (!(this.mask[event] >>> l & 1)) continue;
        if (site.call == 'a vote') this.setValue(event, site.name, l, this.low[i] >>> l & 1, 0);
        else this.setValue(event, site.name, l, this.low[i], this.high[i]);
        ++i;
      }
      return;
    }
    const bytes = site.bytes / site.values;
    for (let i = 0; i < site.values; ++i)
      this.setValue(event, site.name + i, lane, ...this.wordOf(this.firstByte[event] + i * bytes, bytes));
  }

  /** The bytes as a number, low and high word. */
  wordOf(at, count) {
    const word = [0, 0];
    for (let i = 0; i < Math.min(count, 8); ++i) word[i >> 2] |= this.bytes[at + i] << i % 4 * 8;
    return word;
  }

  mark(words, address, count, event) {
    for (let word = address >>> 2; word * 4 < address + count; ++word) words[word] = event;
  }

  store(memory, address, from, count, event) {
    memory.bytes.set(this.bytes.subarray(from, from + count), address);
    this.mark(memory.storedBy, address, count, event);
  }

  access(event, site) {
    if (!site.loads && !site.stores) return;
    const s = this.state, shared = s.shared && s.shared[this.block[event]], address = this.address[event];
    const first = this.firstByte[event];
    if (site.copies) {
      const inShared = this.low[this.firstNumber[event]], global = s.global[site.buffer];
      const fills = site.kind == 'copied to shared';
      this.mark((fills ? global : shared).loadedBy, fills ? address : inShared, site.bytes, event);
      return this.store(fills ? shared : global, fills ? inShared : address, first, site.bytes, event);
    }
    const memory = site.space == 'global' ? s.global[site.buffer] : shared;
    if (site.loads) this.mark(memory.loadedBy, address, site.bytes, event);
    if (site.stores) this.store(memory, address, first + (site.loads ? site.bytes : 0), site.bytes, event);
  }
}
