/** This machine as requirements.json names it: platform, architecture and, on Linux, the C library. */
export function machinePlatform(): string {
  const { platform, arch } = process;
  if (platform !== 'linux') return `${platform}-${arch}`;
  // Without it the report looks up the names of open connections, which takes seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return `${platform}-${arch}-${report.header?.glibcVersionRuntime ? 'glibc' : 'musl'}`;
}
