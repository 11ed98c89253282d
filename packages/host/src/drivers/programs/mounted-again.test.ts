import { expect, test } from "bun:test";
import { pathsOf } from "./mounted-again.ts";

const mountInfo = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 8:1 / /mnt/all rw - ext4 /dev/sda1 rw
24 22 8:1 /home/me /mnt/my\\040home rw - ext4 /dev/sda1 rw
25 22 8:1 /home/me/data/records /mnt/part rw - ext4 /dev/sda1 rw
26 22 8:1 /home/me/database /mnt/other rw - ext4 /dev/sda1 rw
27 22 0:5 /home /mnt/else rw - tmpfs none rw
`;

test("pathsOf returns all mounts of a folder, its parents and its subfolders", () => {
  expect(pathsOf("/home/me/data", mountInfo)).toEqual([
    "/home/me/data",
    "/mnt/all/home/me/data",
    "/mnt/my home/data",
    "/mnt/part",
  ]);
});

test("pathsOf starts from the mount that contains the folder", () => {
  const info = `${mountInfo}28 22 0:9 /volumes/v /home/me rw - btrfs none rw\n29 22 0:9 / /pool rw - btrfs none rw\n`;

  expect(pathsOf("/home/me/data", info)).toEqual(["/home/me/data", "/pool/volumes/v/data"]);
  expect(pathsOf("/home/me/data", "")).toEqual(["/home/me/data"]);
});
