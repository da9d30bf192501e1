"use strict";
document.getElementById("query").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) document.getElementById("ask").requestSubmit();
});
