"use strict";

/* Steps through sample games: reads the JSON beside it, draws on the board that is there. */
for (const viewer of document.querySelectorAll(".viewer")) {
  const { board, words, order, games } = JSON.parse(viewer.querySelector("script").textContent);
  const find = (name) => viewer.querySelector(name);
  const stage = find(".stage");
  const [men, trace, slider, choice] = [".men", ".trace", ".slider", ".choice"].map(find);
  const graph = find(".graph");
  const SVG = graph.namespaceURI;
  const HAN = {
    K: "帥", A: "仕", B: "相", R: "俥", N: "傌", C: "炮", P: "兵",
    k: "將", a: "士", b: "象", r: "車", n: "馬", c: "砲", p: "卒",
  };
  const [WIDTH, HEIGHT] = [320, 110];
  let game = games[0];
  let ply = 0;

  const draw = (parent, name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text) element.textContent = text;
    parent.append(element);
    return element;
  };
  const at = (square) => {
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - board.first;
    return [board.margin + board.step * file, board.height - board.margin - board.step * rank];
  };
  const letters = () => find(".letters").checked;

  /* The men of a placement, by square: rows from the far rank down, digits for empty squares. */
  const menOf = (placement) => {
    const found = {};
    placement.split("/").forEach((row, below) => {
      let file = 0;
      for (const sign of row) {
        if (sign >= "1" && "9" >= sign) { file += Number(sign); continue; }
        found[String.fromCharCode(97 + file) + (board.first + board.ranks - 1 - below)] = sign;
        file += 1;
      }
    });
    return found;
  };

  /* What stands where before ply number `ply`; after the last one, what the last one made of it. */
  const standing = () => {
    if (game.plies.length > ply) return menOf(game.plies[ply].view);
    const last = game.plies[ply - 1];
    const found = menOf(last.view);
    const [from, to] = [last.move.slice(0, 2), last.move.slice(-2)];
    const man = last.turned || found[from];
    delete found[from];
    if (man) found[to] = man;
    return found;
  };

  const sided = (letter, red) => red ? letter.toUpperCase() : letter.toLowerCase();

  const showMen = () => {
    men.replaceChildren();
    const found = standing();
    for (const square in found) {
      const sign = found[square];
      const [x, y] = at(square);
      const side = sign === "?" ? "nobody" : sign === sign.toUpperCase() ? "red" : "black";
      const lid = "?Xx".includes(sign);
      draw(men, "circle", { class: (lid ? "lid " : "man ") + side, cx: x, cy: y, r: 19 });
      if (!lid) {
        draw(men, "text", { class: "man " + side, x, y }, letters() ? sign.toUpperCase() : HAN[sign]);
      }
    }
  };

  const showTrace = () => {
    trace.replaceChildren();
    if (ply === 0) return;
    const last = game.plies[ply - 1];
    const [[x1, y1], [x2, y2]] = [at(last.move.slice(0, 2)), at(last.move.slice(-2))];
    if (last.move.length > 2) {
      draw(trace, "circle", { class: "origin", cx: x1, cy: y1, r: 8 });
      draw(trace, "path", { class: "way", d: `M${x1} ${y1}L${x2} ${y2}` });
    }
    draw(trace, "circle", { class: "target", cx: x2, cy: y2, r: 21 });
  };

  const named = (letter) => letter ? (letters() ? letter.toUpperCase() : HAN[letter]) : "";

  const showWords = () => {
    const line = find(".said");
    line.replaceChildren();
    if (ply > 0) {
      const last = game.plies[ply - 1];
      const parts = [`${ply}. ${last.move}`, last.said];
      /* As players say it, a move has with it what came to light. */
      if (last.turned && !last.said) parts.push(`${words.turned} ${named(last.turned)}`);
      if (last.taken && !(last.said && last.hidden)) {
        parts.push(`${words.taken} ${named(last.taken)}${last.hidden ? " " + words.hidden : ""}`);
      }
      line.textContent = parts.filter(Boolean).join(" · ");
    } else {
      line.textContent = words.start;
    }
    const next = game.plies[ply];
    find(".turn").textContent = next ? words.seats[next.seat] + " " + words.moves : game.end;
  };

  const showPools = () => {
    const next = game.plies[ply];
    for (const [name, counts, other] of [["own", next?.own, next?.enemy], ["enemy", next?.enemy, next?.own]]) {
      const list = find(".pool." + name);
      list.replaceChildren();
      if (!counts) continue;
      const sum = (all) => all.reduce((total, count) => total + count, 0);
      const total = sum(counts) + (board.shared ? sum(other) : 0);
      counts.forEach((count, place) => {
        if (count === 0) return;
        const item = document.createElement("li");
        item.textContent = `${named(sided(order[place], next.red === (name === "own")))} ${count}`;
        const share = document.createElement("i");
        share.textContent = `${Math.round(100 * count / total)} %`;
        item.append(share);
        list.append(item);
      });
    }
  };

  const place = (number) => 4 + (WIDTH - 8) * number / Math.max(1, game.plies.length - 1);
  const height = (percent) => 4 + (HEIGHT - 8) * (1 - percent / 100);

  const showGraph = () => {
    graph.replaceChildren();
    draw(graph, "path", { class: "mark", d: `M0 ${height(50)}H${WIDTH}` });
    const points = game.plies.map((step, number) => `${place(number).toFixed(1)} ${height(step.value).toFixed(1)}`);
    draw(graph, "path", { class: "course", d: "M" + points.join("L") });
    const now = Math.min(ply, game.plies.length - 1);
    draw(graph, "path", { class: "now", d: `M${place(now)} 0V${HEIGHT}` });
    draw(graph, "circle", { class: "mean", cx: place(now), cy: height(game.plies[now].value), r: 4 });
    find(".value").textContent = `${game.plies[now].value.toFixed(1)} %`;
  };

  const show = (number) => {
    ply = Math.max(0, Math.min(game.plies.length, number));
    slider.max = game.plies.length;
    slider.value = ply;
    stage.dataset.ply = ply;
    find(".place").textContent = `${ply} / ${game.plies.length}`;
    [showMen, showTrace, showWords, showPools, showGraph].forEach((part) => part());
  };

  const step = { first: () => 0, back: () => ply - 1, on: () => ply + 1, last: () => game.plies.length };
  for (const name in step) find("." + name).addEventListener("click", () => show(step[name]()));
  slider.addEventListener("input", () => show(Number(slider.value)));
  choice.addEventListener("change", () => { game = games[choice.selectedIndex]; show(0); });
  find(".letters").addEventListener("change", () => show(ply));
  graph.addEventListener("click", (event) => {
    const frame = graph.getBoundingClientRect();
    show(Math.round((event.clientX - frame.left) / frame.width * (game.plies.length - 1)));
  });
  stage.addEventListener("keydown", (event) => {
    const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!name || event.target === choice || event.target === slider) return;
    event.preventDefault();
    show(step[name]());
  });

  /* A swipe over the board is a step. */
  let start = null;
  const drawn = find("svg.board");
  drawn.addEventListener("touchstart", (event) => { start = event.touches[0].clientX; }, { passive: true });
  drawn.addEventListener("touchend", (event) => {
    const way = event.changedTouches[0].clientX - start;
    if (Math.abs(way) > 30) show(ply + (way > 0 ? -1 : 1));
  });

  /* A move in the list below is a way to its position. */
  viewer.querySelectorAll("details.game").forEach((list, number) => {
    list.querySelectorAll("li").forEach((move, before) => move.addEventListener("click", () => {
      game = games[number];
      choice.selectedIndex = number;
      show(before + 1);
      stage.scrollIntoView({ block: "nearest" });
    }));
  });
  stage.hidden = false;
  show(0);
}
