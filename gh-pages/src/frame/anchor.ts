/**
 * Scrolls to the target of the address after the page is drawn, since the browser looked for it
 * before. The focus moves there too, so that readers with keyboard or voice continue there.
 */
export function toAnchor(): void {
  const place = document.getElementById(location.hash.slice(1));
  if (!place) return;
  place.tabIndex = -1;
  place.focus();
  place.scrollIntoView();
}
