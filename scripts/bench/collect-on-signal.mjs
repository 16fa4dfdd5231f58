/** Loaded into the measured process. Collects garbage on a signal, so that the measured memory is really in use. */
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
});
