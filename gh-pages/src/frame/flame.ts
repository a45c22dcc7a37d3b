/** Lets the reader find a function in a flame graph: what does not match becomes pale. */
export function searchable(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.flame-search')) {
    const frames = input.closest('details')?.querySelectorAll<SVGGElement>('.frame') ?? [];
    input.addEventListener('input', () => {
      const text = input.value.trim().toLowerCase();
      for (const frame of frames) {
        const found = text === '' || (frame.dataset.name ?? '').toLowerCase().includes(text);
        frame.classList.toggle('pale', !found);
      }
    });
  }
}
