/** Loaded into a child with --import. When the parent ends, even by SIGKILL, the child stops as after SIGTERM. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
