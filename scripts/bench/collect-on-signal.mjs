/** Loaded into the measured process: collects garbage on a signal, so that the measured memory holds no garbage. */
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
});
