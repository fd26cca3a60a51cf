// What a reader with scripts gets beyond the drawn page: tooltips, zoom, legend switches, deep links that open what they point at, the filter.
(() => {
  const charts = JSON.parse(document.getElementById("chart-specs")?.textContent ?? "{}");
  const views = new Map();

  /** Draws a chart again at the width there is; the drawing that was there stays when that fails. */
  async function enliven(element) {
    const { spec, config } = { spec: charts.specs[element.dataset.chart], config: charts.config };
    const drawn = [...element.childNodes];
    element.style.minHeight = `${element.offsetHeight}px`;
    element.classList.add("live");
    try {
      const { view } = await vegaEmbed(
        element,
        { ...spec, width: "container" },
        {
          actions: false,
          ast: true,
          config,
          defaultStyle: false,
          expr: vegaInterpreter,
          renderer: "svg",
          tooltip: { disableDefaultStyle: true },
        },
      );
      for (const svg of element.querySelectorAll("svg")) svg.setAttribute("aria-hidden", "true");
      views.set(element.dataset.chart, view);
      view.addEventListener("click", (_event, item) => openDatum(item?.datum));
      shareZoom(element, view);
      element.style.minHeight = "";
      element.dataset.state = "live";
    } catch (error) {
      element.replaceChildren(...drawn);
      element.classList.remove("live");
      element.dataset.state = "drawn";
      element.dataset.error = String(error);
    }
  }

  /** Charts over the same rounds zoom together. */
  function shareZoom(element, view) {
    const { group } = element.dataset;
    if (group === undefined) return;
    let passing = false;
    const listen = (_name, extent) => {
      if (passing) return;
      for (const other of document.querySelectorAll(`.chart[data-group="${group}"]`)) {
        const twin = views.get(other.dataset.chart);
        if (twin === undefined || twin === view || JSON.stringify(twin.signal("zoom_round")) === JSON.stringify(extent))
          continue;
        passing = true;
        twin.signal("zoom_round", extent).run();
        passing = false;
      }
    };
    try {
      view.addSignalListener("zoom_round", listen);
    } catch {
      // A chart without zoom has nothing to share.
    }
  }

  function openDatum(datum) {
    if (datum?.href) location.href = datum.href;
    if (datum?.turn === undefined) return;
    const ids = [`turn-${datum.turn}-round-${datum.round}`, `turn-${datum.turn}`];
    const id = ids.find((known) => document.getElementById(known) !== null);
    if (id !== undefined) location.hash = id;
  }

  function openTarget() {
    const name = decodeURIComponent(location.hash.slice(1));
    if (name.startsWith("filter=")) return applyFilter(name.slice("filter=".length));
    const target = name === "" ? null : document.getElementById(name);
    if (target === null) return;
    for (let at = target; at !== null; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
    if (target.tagName === "DETAILS") target.querySelector("summary")?.focus({ preventScroll: true });
  }

  function toggle(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    const legend = button.closest(".legend");
    const shown = [...legend.querySelectorAll('[aria-pressed="true"]')].map((other) => other.dataset.value);
    views.get(legend.dataset.for)?.signal("shown", shown).run();
  }

  const search = document.getElementById("filter-text");
  const outcome = document.getElementById("filter-outcome");
  const rows = [...document.querySelectorAll("[data-search]")];

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits =
        words.every((word) => row.dataset.search.includes(word)) &&
        (outcome.value === "" || row.dataset.outcome === outcome.value);
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    document.getElementById("filter-count").textContent = `${shown} of ${rows.length} runs shown`;
  }

  function applyFilter(text) {
    if (search === null) return;
    search.value = text;
    filter();
    search.scrollIntoView({ block: "center" });
  }

  if (search !== null) {
    search.closest("form").hidden = false;
    search.closest("form").addEventListener("submit", (event) => event.preventDefault());
    search.addEventListener("input", filter);
    outcome.addEventListener("change", filter);
    filter();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".legend button");
    if (button) toggle(button);
  });
  addEventListener("hashchange", openTarget);
  openTarget();

  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        enliven(entry.target);
      }
    },
    { rootMargin: "300px" },
  );
  for (const element of document.querySelectorAll(".chart")) observer.observe(element);
})();
