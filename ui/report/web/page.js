(function () {
  "use strict";
  var data = JSON.parse(document.getElementById("data").textContent);
  var root = document.documentElement;
  var timeCharts = [];
  var all = [];
  var dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

  function colour(name) { return getComputedStyle(root).getPropertyValue("--" + name).trim(); }

  // Numbers are written as the rest of the page has them.
  function digits(v) {
    if (v < 9.995) return v.toFixed(2);
    if (v < 99.95) return v.toFixed(1);
    return Math.round(v).toLocaleString("en-US");
  }
  function latency(ms) { return ms < 999.5 ? digits(ms) + " ms" : digits(ms / 1000) + " s"; }
  function short(v) { return String(Math.round(v * 1e6) / 1e6); }
  function clock(s) {
    s = Math.max(Math.floor(s), 0);
    function two(n) { return n < 10 ? "0" + n : String(n); }
    var minutes = Math.floor(s / 60) % 60, hours = Math.floor(s / 3600);
    return (hours ? hours + ":" + two(minutes) : two(minutes)) + ":" + two(s % 60);
  }
  function written(unit, v) {
    if (v == null) return "n/a";
    switch (unit) {
      case "ms": return latency(v);
      case "%": return short(Math.round(v * 10) / 10) + " %";
      case "W": return Math.round(v) + " W";
      case "": return short(Math.round(v * 10) / 10);
    }
    return digits(v);
  }
  function label(unit, v) {
    switch (unit) {
      case "ms": return v < 1000 ? short(v) + (v ? "ms" : "") : short(v / 1000) + "s";
      case "%": return v > 100 ? "" : short(v) + "%";
    }
    if (v >= 1e6) return short(v / 1e6) + "M";
    if (v >= 1e4) return short(v / 1e3) + "k";
    return v >= 1000 ? v.toLocaleString("en-US") : short(v);
  }
  function writtenX(c, v) {
    if (v == null) return "";
    if (c.over === "time") return clock(v);
    return c.over === "levels" ? short(v) : latency(v);
  }

  // What lies behind the series: where stages settle, and where they begin.
  function behind(u, c) {
    if (c.over !== "time") return;
    var ctx = u.ctx, box = u.bbox, right = box.left + box.width;
    ctx.save();
    ctx.beginPath();
    ctx.rect(box.left, box.top, box.width, box.height);
    ctx.clip();
    data.time.stages.forEach(function (s, i) {
      var from = u.valToPos(s.from, "x", true), settled = u.valToPos(s.settled, "x", true);
      ctx.fillStyle = colour("shade");
      ctx.fillRect(from, box.top, settled - from, box.height);
      if (i > 0) upright(u, s.from, colour("muted"), [2, 3], .7);
    });
    ctx.restore();
    var free = -Infinity;
    ctx.save();
    ctx.font = font();
    ctx.textAlign = "left";
    ctx.textBaseline = "bottom";
    ctx.fillStyle = colour("muted");
    data.time.stages.forEach(function (s, i) {
      var next = data.time.stages[i + 1];
      var from = Math.max(u.valToPos(s.from, "x", true), box.left);
      var to = Math.min(next ? u.valToPos(next.from, "x", true) : right, right);
      var width = ctx.measureText(s.text).width;
      if (from >= free && from + width <= to + 2) {
        ctx.fillText(s.text, from + 2, box.top - 2);
        free = from + width + 8;
      }
    });
    ctx.restore();
  }

  // What lies before them: limits, marks, and values of the x axis that stand out.
  function before(u, c) {
    var ctx = u.ctx, box = u.bbox;
    ctx.save();
    ctx.font = font();
    (c.limits || []).forEach(function (l) {
      if (l.at > u.scales.y.max) return;
      var y = u.valToPos(l.at, "y", true);
      ctx.strokeStyle = ctx.fillStyle = colour("warn");
      ctx.lineWidth = 1.4 * uPlot.pxRatio;
      ctx.setLineDash([1 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
      ctx.beginPath();
      ctx.moveTo(box.left, y);
      ctx.lineTo(box.left + box.width, y);
      ctx.stroke();
      ctx.textAlign = "right";
      var high = y - box.top < 16 * uPlot.pxRatio; // above the plot are the names of stages and lines
      ctx.textBaseline = high ? "top" : "bottom";
      readable(ctx, l.text, box.left + box.width - 4, high ? y + 3 : y - 2);
    });
    var free = -Infinity;
    (c.lines || []).slice().sort(function (a, b) { return a.at - b.at; }).forEach(function (l) {
      if (l.at < u.scales.x.min || l.at > u.scales.x.max) return;
      upright(u, l.at, colour("warn"), [1, 3], 1.4);
      var x = u.valToPos(l.at, "x", true), width = ctx.measureText(l.text).width;
      var from = Math.min(Math.max(x - width / 2, box.left), box.left + box.width - width);
      if (from < free) return;
      free = from + width + 8;
      ctx.textAlign = "left";
      ctx.textBaseline = "bottom";
      ctx.fillStyle = colour("warn");
      ctx.fillText(l.text, from, box.top - 2);
    });
    if (c.over === "time") {
      data.time.marks.forEach(function (m) {
        if (m.at < u.scales.x.min || m.at > u.scales.x.max) return;
        upright(u, m.at, colour("accent"), [], 1);
        ctx.textAlign = "left";
        ctx.textBaseline = "top";
        ctx.fillStyle = colour("accent");
        ctx.fillText(m.text, u.valToPos(m.at, "x", true) + 4, box.top + 2);
      });
    }
    ctx.restore();
  }
  // A text with a rim, so that it can be read over a line.
  function readable(ctx, text, x, y) {
    ctx.save();
    ctx.setLineDash([]);
    ctx.lineJoin = "round";
    ctx.lineWidth = 4 * uPlot.pxRatio;
    ctx.strokeStyle = colour("bg");
    ctx.strokeText(text, x, y);
    ctx.restore();
    ctx.fillText(text, x, y);
  }
  function upright(u, at, stroke, dash, width) {
    var ctx = u.ctx, x = u.valToPos(at, "x", true);
    ctx.strokeStyle = stroke;
    ctx.lineWidth = width * uPlot.pxRatio;
    ctx.setLineDash(dash.map(function (d) { return d * uPlot.pxRatio; }));
    ctx.beginPath();
    ctx.moveTo(x, u.bbox.top);
    ctx.lineTo(x, u.bbox.top + u.bbox.height);
    ctx.stroke();
    ctx.setLineDash([]);
  }
  function font() { return 11 * uPlot.pxRatio + "px system-ui, sans-serif"; }

  function range(c) {
    return function (u, min, max) {
      if (c.unit === "%") return [0, 104];
      max = max || 1;
      (c.limits || []).forEach(function (l) { if (l.at <= 3 * max) max = Math.max(max, l.at); });
      return [0, max * 1.06];
    };
  }

  function follow(u, key) {
    if (key !== "x" || timeCharts.indexOf(u) < 0) return;
    var x = u.scales.x;
    timeCharts.forEach(function (o) {
      if (o !== u && (o.scales.x.min !== x.min || o.scales.x.max !== x.max)) o.setScale("x", { min: x.min, max: x.max });
    });
  }

  function axis(more) {
    return Object.assign({
      stroke: function () { return colour("muted"); },
      grid: { stroke: function () { return colour("line"); }, width: 1 },
      ticks: { show: false }, font: "11px system-ui, sans-serif", gap: 4
    }, more);
  }

  // Labels that would run into the one before are left out.
  function apart(u, splits) {
    var last = -Infinity;
    return splits.map(function (v) {
      var x = u.valToPos(v, "x");
      if (x - last < 44) return null;
      last = x;
      return v;
    });
  }

  function draw(c) {
    var box = document.getElementById("live-" + c.id);
    var columns = [c.x].concat(c.series.map(function (s) { return s.y; }));
    if (c.over === "time") { // all begin and end together
      if (c.x[0] > 0) columns.forEach(function (y, i) { y.unshift(i ? null : 0); });
      if (c.x[c.x.length - 1] < data.time.end) columns.forEach(function (y, i) { y.push(i ? null : data.time.end); });
    }
    var x = { time: false };
    if (c.log) { x.distr = 3; x.log = c.over === "levels" ? 2 : 10; }
    if (c.over === "values") x.range = function (u, min, max) { return [min, max]; };
    if (c.over === "levels") x.range = function (u, min, max) {
      var apart = (max - min) / 30;
      return c.log ? [min / 1.08, max * 1.08] : [min - apart, max + apart];
    };
    var below = axis({ size: 26, space: 56, values: function (u, ticks) { return ticks.map(function (v) { return v == null ? null : writtenTick(c, v); }); } });
    if (c.over === "levels") {
      below.splits = function (u, i, min, max) { return c.x.filter(function (v) { return v >= min && v <= max; }); };
      below.filter = apart;
    }
    if (c.over === "time") below.incrs = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400];
    if (c.over === "values") {
      below.splits = function (u, i, min, max) {
        var out = [], step = Math.pow(10, Math.floor(Math.log10((max - min) * .15)));
        if (max < 8 * min) { // few powers of ten are in it, or none
          step *= [1, 2, 5, 10].find(function (n) { return n * step * 4 >= .6 * (max - min); });
          for (var v = Math.ceil(min / step); v * step <= max; v++) out.push(Math.round(v * step * 1e6) / 1e6);
          return out;
        }
        for (var p = Math.floor(Math.log10(min)); p <= Math.log10(max); p++)
          [1, 2, 5].forEach(function (n) { var v = n * Math.pow(10, p); if (v >= min && v <= max) out.push(Math.round(v * 1e6) / 1e6); });
        return out;
      };
      below.filter = apart;
    }
    var u = new uPlot({
      width: box.clientWidth, height: 210, padding: [16, 18, 0, 0],
      scales: { x: x, y: { range: range(c) } },
      axes: [below, axis({ size: 52, space: 34, values: function (u, ticks) { return ticks.map(function (v) { return label(c.unit, v); }); } })],
      series: [{
        label: c.over === "time" ? "time" : c.over === "levels" ? "level" : "latency",
        value: function (u, v) { return writtenX(c, v); }
      }].concat(c.series.map(function (s, i) {
        return {
          label: s.name, width: 1.7, dash: dashes[i % dashes.length],
          stroke: function () { return colour("s" + (i % dashes.length + 1)); },
          spanGaps: c.over !== "time",
          points: c.over === "levels" ? { show: true, size: 7, fill: function () { return colour("bg"); } } : { show: c.x.length < 15 && c.over === "time", size: 5 },
          value: function (u, v, at, j) { return j == null ? "" : written(c.unit, v); }
        };
      })),
      legend: { markers: { dash: function (u, i) { return ["solid", "dashed", "dotted", "dashed"][(i - 1) % dashes.length]; } } },
      cursor: {
        drag: { x: true, y: false }, points: { size: 7 },
        sync: c.over === "time" ? { key: "time", scales: ["x", null], filters: { pub: moves, sub: moves } } : undefined
      },
      hooks: {
        drawClear: [function (u) { behind(u, c); }],
        draw: [function (u) { before(u, c); }],
        setScale: [follow]
      }
    }, columns, box);
    all.push(u);
    if (c.over === "time") {
      var first = timeCharts[0];
      timeCharts.push(u);
      if (first) u.setScale("x", { min: first.scales.x.min, max: first.scales.x.max }); // they may have been zoomed into
    }
    new ResizeObserver(function () {
      if (box.clientWidth && box.clientWidth !== u.width) u.setSize({ width: box.clientWidth, height: 210 });
    }).observe(box);
  }
  function moves(type) { return type === "mousemove" || type === "mouseleave"; }
  function writtenTick(c, v) {
    if (c.over === "time") return clock(v);
    return c.over === "levels" ? short(v) : label("ms", v);
  }

  // Charts are drawn one after the other, so that the page shows before the last is.
  var waiting = data.charts.slice();
  function next() {
    try {
      draw(waiting.shift());
    } catch (err) {
      root.classList.remove("js"); // the still pictures do
      throw err;
    }
    if (waiting.length) setTimeout(next, 0);
  }
  root.classList.add("js");
  if (waiting.length) next();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () {
    all.forEach(function (u) { u.redraw(false, true); });
  });
})();
