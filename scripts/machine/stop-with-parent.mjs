/** Loaded into a child with --import: when the parent vanishes, even by SIGKILL, the child stops as if it were told to. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
