/**
 * Goes to the place that the address names. A page is drawn after the browser looked
 * for it. The focus goes there, too, so that who follows a link by keyboard or voice
 * reads on from it.
 */
export function toAnchor(): void {
  const place = document.getElementById(location.hash.slice(1));
  if (!place) return;
  place.tabIndex = -1;
  place.focus();
  place.scrollIntoView();
}
