// Extras only: the page is complete without them. Tooltips on charts; sorting and filtering of the assumptions.
(function () {
  "use strict";

  var tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.appendChild(tip);
  function place(event) {
    var left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
    var below = event.clientY + 16;
    var above = event.clientY - tip.offsetHeight - 12;
    tip.style.left = Math.max(8, left) + "px";
    tip.style.top = (below + tip.offsetHeight > window.innerHeight ? above : below) + "px";
  }
  document.querySelectorAll("figure g").forEach(function (group) {
    var title = group.querySelector("title");
    if (!title) return;
    var text = title.textContent;
    // The browser's own tooltip would stand beside this one.
    title.remove();
    group.addEventListener("pointerenter", function (event) {
      tip.textContent = text;
      tip.hidden = false;
      place(event);
    });
    group.addEventListener("pointermove", place);
    group.addEventListener("pointerleave", function () { tip.hidden = true; });
  });

  var table = document.getElementById("assumptions");
  if (!table) return;
  var body = table.tBodies[0];
  var rows = Array.from(body.rows);

  var bar = document.createElement("div");
  bar.className = "filters";
  var label = document.createElement("label");
  label.textContent = "Filter";
  var search = document.createElement("input");
  search.type = "search";
  label.appendChild(search);
  var only = document.createElement("label");
  var box = document.createElement("input");
  box.type = "checkbox";
  only.appendChild(box);
  only.appendChild(document.createTextNode(" assumed only"));
  var shown = document.createElement("span");
  shown.setAttribute("role", "status");
  bar.append(label, only, shown);
  table.parentNode.parentNode.insertBefore(bar, table.parentNode);

  function filter() {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    var count = 0;
    rows.forEach(function (row) {
      var text = row.textContent.toLowerCase();
      var fits = words.every(function (word) { return text.indexOf(word) >= 0; }) &&
        (!box.checked || row.dataset.basis === "assumed");
      row.hidden = !fits;
      if (fits) count += 1;
    });
    shown.textContent = count + " of " + rows.length + " shown";
  }
  search.addEventListener("input", filter);
  box.addEventListener("change", filter);
  filter();

  function key(row, column) {
    var cell = row.cells[column];
    return cell.dataset.sort === undefined ? cell.textContent.trim() : Number(cell.dataset.sort);
  }
  Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(button);
    button.addEventListener("click", function () {
      var down = head.getAttribute("aria-sort") === "ascending";
      Array.from(table.tHead.rows[0].cells).forEach(function (other) { other.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort(function (a, b) {
        var x = key(a, column), y = key(b, column);
        var order = typeof x === "number" ? x - y : x.localeCompare(y, "en");
        return down ? -order : order;
      });
      rows.forEach(function (row) { body.appendChild(row); });
    });
  });
})();
