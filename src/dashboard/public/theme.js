// Before the first paint, so that nothing flashes.
(() => {
  const isDark = chosen() === 'dark' || (chosen() !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';

  function chosen() {
    try {
      return localStorage.getItem('earshot.theme');
    } catch {
      // Denied in a frame of another site.
      return null;
    }
  }
})();
