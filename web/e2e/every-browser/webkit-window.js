/**
 * A WebKitGTK window driven by WebKitWebDriver, run by gjs. Unlike MiniBrowser's automation session, it
 * persists what pages store in the given folder. Without a folder it is private.
 *
 *     gjs -m webkit-window.js [FOLDER]
 */
import GLib from 'gi://GLib';
import Gtk from 'gi://Gtk?version=3.0';
import WebKit from 'gi://WebKit2?version=4.1';
import System from 'system';

const [folder] = System.programArgs;
Gtk.init(null);
// Makes pages prefer reduced motion: spinners are expensive.
Gtk.Settings.get_default().gtk_enable_animations = false;

const context = folder
  ? new WebKit.WebContext({
      website_data_manager: new WebKit.WebsiteDataManager({
        base_data_directory: folder,
        base_cache_directory: folder,
      }),
    })
  : WebKit.WebContext.new_ephemeral();
const settings = new WebKit.Settings({
  enable_media_stream: true,
  enable_mock_capture_devices: true,
  // Without a graphics card, software rendering is cheaper.
  hardware_acceleration_policy: WebKit.HardwareAccelerationPolicy.NEVER,
});
// The microphone is silent and there is no camera: the mock microphone's tones pass for a voice, and each answer
// would need a run of the speech engine; WebKitGTK on GStreamer 1.22 records no video.
const devices = `
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    if (constraints.video) throw new DOMException('There is no camera', 'NotFoundError');
    const stream = await open(constraints);
    for (const track of stream.getTracks()) track.enabled = false;
    return stream;
  };
`;
const scripts = new WebKit.UserContentManager();
scripts.add_script(
  new WebKit.UserScript(
    devices,
    WebKit.UserContentInjectedFrames.TOP_FRAME,
    WebKit.UserScriptInjectionTime.START,
    null,
    null,
  ),
);
const view = new WebKit.WebView({
  web_context: context,
  settings,
  user_content_manager: scripts,
  is_controlled_by_automation: true,
});
view.connect('permission-request', (_, request) => {
  request.allow();
  return true;
});

const window = new Gtk.Window({ default_width: 1440, default_height: 900 });
window.add(view);
window.show_all();

context.set_automation_allowed(true);
context.connect('automation-started', (_, session) => {
  const information = new WebKit.ApplicationInfo();
  information.set_name('WebKitGTK');
  session.set_application_info(information);
  session.connect('create-web-view', () => view);
});
GLib.MainLoop.new(null, false).run();
