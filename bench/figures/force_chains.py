#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of docs/tool.md: force chains and coordination numbers, drawn by VTK's own filters, which are ParaView's, from the
output of `hgrid contacts --out packing.vtp`. Nothing is computed here.
force_chains.py HGRID OUT.png     (HGRID: the tool; needs the module vtk)"""
import subprocess
import sys
import tempfile

import vtk

WIDTH, HEIGHT = 1300, 560


def packing(tool, folder):
    """A relaxed packing between walls, its contacts, and the floor, as the tool writes them."""
    table, floor, out = folder + "/packing.csv", folder + "/floor.csv", folder + "/packing.vtp"
    subprocess.run([tool, "generate", "--n", "1200", "--size-ratio", "4", "--exponent", "-2", "--packing", "0.64", "--relaxed",
                    "--seed", "3", "--out", table], check=True, stdout=subprocess.DEVNULL)
    with open(table, encoding="utf-8") as file:
        side = float(file.readline().split()[-1])
    with open(floor, "w", encoding="utf-8") as file:
        file.write(f"0 0 0 {side} 0 0 {side} {side} 0\n0 0 0 {side} {side} 0 0 {side} 0\n")
    subprocess.run([tool, "contacts", table, "--walls", floor, "--out", out], check=True, stdout=subprocess.DEVNULL)
    return out


def of_kind(source, kind):
    chosen = vtk.vtkThreshold()
    chosen.SetInputConnection(source.GetOutputPort())
    chosen.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "kind")
    chosen.SetLowerThreshold(kind)
    chosen.SetUpperThreshold(kind)
    surface = vtk.vtkGeometryFilter()
    surface.SetInputConnection(chosen.GetOutputPort())
    surface.Update()
    return surface


def spheres(source):
    sphere = vtk.vtkSphereSource()
    sphere.SetThetaResolution(24)
    sphere.SetPhiResolution(24)
    particles = of_kind(source, 0)  # a port does not keep its filter
    glyph = vtk.vtkGlyph3D()
    glyph.SetInputConnection(particles.GetOutputPort())
    glyph.SetSourceConnection(sphere.GetOutputPort())
    glyph.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "radius")
    glyph.SetScaleModeToScaleByScalar()
    glyph.SetScaleFactor(2)
    return glyph


def tubes(source):
    tube = vtk.vtkTubeFilter()
    tube.SetInputConnection(source.GetOutputPort())
    tube.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "overlap")
    tube.SetVaryRadiusToVaryRadiusByScalar()
    tube.SetRadius(0.02)
    tube.SetRadiusFactor(20)
    tube.SetNumberOfSides(12)
    return tube


def actor(port, array=None, colours=None, opacity=1.0):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(port)
    mapper.SetScalarVisibility(array is not None)
    if array is not None:
        port.GetProducer().Update()
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray(array)
        mapper.SetScalarRange(port.GetProducer().GetOutput().GetPointData().GetArray(array).GetRange())
        mapper.SetLookupTable(colours)
    shown = vtk.vtkActor()
    shown.SetMapper(mapper)
    shown.GetProperty().SetOpacity(opacity)
    return shown


def colours(title, *stops):
    table = vtk.vtkColorTransferFunction()
    for at, *rgb in stops:
        table.AddRGBPoint(at, *rgb)
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetTitle(title)
    bar.SetNumberOfLabels(4)
    bar.SetMaximumWidthInPixels(50)
    bar.SetHeight(0.7)
    bar.SetPosition(0.88, 0.15)
    bar.SetVerticalTitleSeparation(12)
    bar.SetLabelFormat('%.3g')
    for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
        text.SetColor(0, 0, 0)
        text.ItalicOff()
        text.ShadowOff()
    return table, bar


def view(place, actors, bar):
    renderer = vtk.vtkRenderer()
    renderer.SetViewport(*place)
    renderer.SetBackground(1, 1, 1)
    for each in actors:
        renderer.AddViewProp(each)
    renderer.AddViewProp(bar)
    renderer.GetActiveCamera().SetPosition(2.2, -3.2, 1.5)
    renderer.GetActiveCamera().SetViewUp(0, 0, 1)
    renderer.ResetCamera()
    renderer.GetActiveCamera().Zoom(1.1)
    renderer.GetActiveCamera().SetWindowCenter(0.15, 0)  # room for the bar
    return renderer


def main(tool, out):
    with tempfile.TemporaryDirectory() as folder:
        source = vtk.vtkXMLPolyDataReader()
        source.SetFileName(packing(tool, folder))
        source.Update()
    balls, chains, floor = spheres(source), tubes(source), of_kind(source, 2)
    balls.Update()
    chains.Update()
    most = chains.GetOutput().GetPointData().GetArray("overlap").GetRange()[1]
    top = balls.GetOutput().GetPointData().GetArray("contacts").GetRange()[1]
    blue, by_contacts = colours("contacts", (0, 0.95, 0.95, 0.85), (top / 3, 0.4, 0.75, 0.75), (top, 0.05, 0.15, 0.45))
    red, by_overlap = colours("overlap", (0, 0.98, 0.85, 0.6), (most / 2, 0.85, 0.25, 0.15), (most, 0.35, 0, 0.1))
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(WIDTH, HEIGHT)
    window.AddRenderer(view((0, 0, 0.5, 1), [actor(balls.GetOutputPort(), "contacts", blue), actor(floor.GetOutputPort())], by_contacts))
    window.AddRenderer(view((0.5, 0, 1, 1), [actor(chains.GetOutputPort(), "overlap", red), actor(floor.GetOutputPort(), opacity=0.4)],
                            by_overlap))
    window.Render()
    picture = vtk.vtkWindowToImageFilter()
    picture.SetInput(window)
    picture.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(out)
    writer.SetInputConnection(picture.GetOutputPort())
    writer.Write()


main(*sys.argv[1:])
