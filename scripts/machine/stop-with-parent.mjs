/** Loaded into a child with --import. When the parent ends, even by SIGKILL, the child gets a SIGTERM. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
