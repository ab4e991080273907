// Before the first paint, so that nothing flashes.
(() => {
  const choice = localStorage.getItem('earshot.theme');
  const isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();
